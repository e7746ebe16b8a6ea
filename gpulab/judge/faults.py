"""What is wrong in one case, as data, and which of several faults comes first."""

from __future__ import annotations

from dataclasses import dataclass, field

from gpulab.judge.report import VERDICTS
from gpulab.judge.session import Problem
from gpulab.judge.wording import Naming
from gpulab.trace.model import Finding, Run

_RANK = {kind: rank for rank, kind in enumerate(VERDICTS)}


@dataclass(frozen=True)
class Fault:
    """One fault. `kind` is a verdict word; what else is set depends on where the fault was seen.

    A `finding` comes from the simulator's `run`, a `problem` from the learner's process; `array` and `index` say
    where the judge saw it; `words` are (message, detail, next) of a broken rule.
    """

    kind: str
    finding: Finding | None = None
    run: Run | None = None
    problem: Problem | None = None
    array: str | None = None
    index: tuple[int, ...] | None = None
    words: tuple[str, str, str] | None = None
    line: int | None = None
    other_order: bool = False
    """Seen only when the blocks ran in another order."""

    @property
    def rank(self) -> int:
        """Causes before symptoms."""
        return _RANK[self.kind]

    @property
    def far(self) -> bool:
        """Of a race: between two warps or two blocks, which nobody expects to keep step."""
        finding, run = self.finding, self.run
        if finding is None or finding.other is None or finding.thread is None or run is None:
            return False
        naming = Naming(run.blocks, run.threads)
        return finding.block != finding.other.block or naming.warp(finding.thread) != naming.warp(finding.other.thread)


@dataclass
class Faults:
    """The faults of one case, in the order they were seen."""

    found: list[Fault] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.found)

    @property
    def first(self) -> Fault | None:
        """The one to fix first."""
        return min(self.found, key=lambda fault: fault.rank, default=None)

    def of(self, kind: str) -> list[Fault]:
        """The faults of this kind."""
        return [fault for fault in self.found if fault.kind == kind]

    def add(self, kind: str, **where: object) -> None:
        """Add a fault of this kind."""
        self.found.append(Fault(kind, **where))  # type: ignore[arg-type]
