"""What the doctor found, as plain data: the command prints it, the app's screen shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from gpulab.doctor.facts import Facts

State = Literal["ok", "warning", "problem", "absent"]
"""`ok`; `warning`: gpulab works, but less well or not for long; `problem`: something that should work here does not;
`absent`: not on this machine, and not needed."""


@dataclass(frozen=True)
class Check:
    """One thing that was looked at."""

    name: str
    """Two words at most: "numba.cuda"."""
    state: State
    sentence: str
    """What is there, or what is wrong."""
    cure: str = ""
    """What to type, one line of shell; nothing is ever run unasked. "" where nothing that is typed would help."""


@dataclass(frozen=True)
class Section:
    """Checks about one thing."""

    title: str
    checks: tuple[Check, ...]


@dataclass(frozen=True)
class Examination:
    """All that was looked at."""

    sections: tuple[Section, ...]
    facts: Facts
    seconds: float

    def of(self, state: State) -> list[Check]:
        """The checks in this state, in order."""
        return [check for section in self.sections for check in section.checks if check.state == state]

    @property
    def well(self) -> bool:
        """Whether nothing failed; warnings, and what is not here, are no failures."""
        return not self.of("problem")
