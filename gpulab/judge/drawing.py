"""The picture case of a puzzle, as the learner's file ran it: what `gpulab view` draws."""

from __future__ import annotations

from dataclasses import dataclass, field

from gpulab.judge.report import Report
from gpulab.trace.model import Run


@dataclass(frozen=True)
class Drawing:
    """One small case, kept whole. Nothing is drawn where the file could not be run: the report says why."""

    report: Report
    """Of this case alone: every other one is "not run", and no budget is looked at."""
    launches: list[Run] = field(default_factory=list)
    """Each with its `picture`, in order: one for a kernel, what it launched for a host function."""
    sizes: dict[str, int] = field(default_factory=dict)
    elements: int = 0
    """Elements of all outputs together."""

    @property
    def drawn(self) -> bool:
        """Whether there is anything to draw."""
        return any(run.picture is not None for run in self.launches)
