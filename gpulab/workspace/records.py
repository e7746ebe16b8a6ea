"""What the workspace remembers, as plain data."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from gpulab.judge.stars import Stars

if TYPE_CHECKING:
    from gpulab.catalog.model import Puzzle


@dataclass(frozen=True)
class Attempt:
    """One check that was recorded."""

    id: str
    """Unique in every workspace, so that importing one twice changes nothing."""
    puzzle: str
    """The id the puzzle had when it was checked."""
    when: datetime
    """In local time."""
    verdict: str
    stars: Stars
    line: int | None
    """The line the diagnosis names."""
    seconds: float
    """What the check took."""
    hints: int
    """How many hints had been read by then."""
    source_hash: str
    """SHA-256 of the file as it was checked, in hexadecimal."""

    @property
    def passed(self) -> bool:
        return self.verdict == "passed"


@dataclass(frozen=True)
class Standing:
    """Where the learner stands with one puzzle."""

    stars: Stars = field(default_factory=Stars)
    """The best of all attempts: True once earned; False if tried without; None if never measured."""
    solved: bool = False
    attempts: int = 0
    last: Attempt | None = None
    hints: int = 0
    seconds: float = 0.0
    """Time spent at it."""
    touched: datetime | None = None
    solved_at: datetime | None = None

    @property
    def earned(self) -> int:
        """How many stars, 0 to 3."""
        return sum(star is True for star in (self.stars.correct, self.stars.efficient, self.stars.fast))

    @property
    def verdict(self) -> str | None:
        """Of the newest attempt; None if there is none."""
        return self.last.verdict if self.last else None


class Spent(NamedTuple):
    """Time spent at puzzles."""

    seconds: float
    days: int
    """How many days in a row there was any, up to today or yesterday."""


class Timed(NamedTuple):
    """One recorded check and what it timed."""

    puzzle: str
    when: datetime
    """In local time."""
    verdict: str
    timing: dict[str, Any] | None
    """`Report.timing`; None where nothing was timed."""


class Next(NamedTuple):
    """The puzzle to go on with, and why it is that one (a full sentence)."""

    puzzle: Puzzle
    why: str


@dataclass(frozen=True)
class Volume:
    """Facts about the disk the workspace is on."""

    mount: Path
    """Where it is mounted."""
    kind: str
    """File system as the kernel names it: "ext4", "overlay", "nfs4", "fuse.mfs"; "" if unknown."""
    writable: bool
    locks: bool
    """Whether file locks work; SQLite needs them, so without them the database is guarded by a lock file."""
    free: int | None
    """Bytes."""
    lost_when_stopped: bool
    """Whether a stopped pod or a reboot loses it (a container's own disk, memory)."""
