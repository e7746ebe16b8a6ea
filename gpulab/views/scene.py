"""What the views of memory are given: one launch, the source it ran, and where one is in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from gpulab.judge.report import Report
from gpulab.trace.model import Finding, Run
from gpulab.trace.picture import WARP, Picture, PictureArray, PictureStep, PictureWarp
from gpulab.trace.walking import Position, Walk, varying
from gpulab.views.subscripts import Subscript, subscript_of


@dataclass(frozen=True)
class Scene:
    """A launch with its picture, at one position. Moving makes a new scene of the same picture."""

    run: Run
    source: str
    position: Position = field(default_factory=Position)
    elements: int = 0
    """Elements of all outputs, to say bytes for each."""
    report: Report | None = None

    def at(self, position: Position) -> Scene:
        """The same launch somewhere else."""
        return replace(self, position=position)

    @property
    def picture(self) -> Picture:
        assert self.run.picture is not None
        return self.run.picture

    @property
    def walk(self) -> Walk:
        return Walk(self.picture)

    @property
    def warp(self) -> PictureWarp:
        return self.picture.warps[self.position.warp]

    @property
    def step(self) -> PictureStep:
        return self.warp.steps[self.position.step]

    @property
    def array(self) -> PictureArray:
        return self.picture.arrays[self.step.array]

    @property
    def counts(self) -> Mapping[int, Mapping[str, float]]:
        """Line -> counter -> count, over the whole launch."""
        return self.run.counters.lines

    @property
    def findings(self) -> list[Finding]:
        return self.run.findings

    @cached_property
    def variables(self) -> tuple[tuple[str, int], ...]:
        """Of the loops around the step: `k` = 0."""
        return varying(self.warp.steps, self.step)

    @cached_property
    def subscript(self) -> Subscript | None:
        return subscript_of(self.source, self.warp.steps, self.position.step, self.array)

    @property
    def touched(self) -> str:
        """The access as the source has it, loop variables replaced: `tile[t, 0]`."""
        if self.subscript is None:
            return self.array.name
        return self.subscript.text(dict(self.variables))

    @cached_property
    def together(self) -> list[tuple[PictureWarp, PictureStep]]:
        """The same step of every warp: that visit of the line, that access."""
        key, visit = _visit(self.warp.steps, self.position.step)
        found = []
        for warp in self.picture.warps:
            alike = [step for step in warp.steps if _key(step) == key]
            if len(alike) > visit:
                found.append((warp, alike[visit]))
        return found

    @property
    def first_thread(self) -> int:
        """The number in its block of the warp's lane 0."""
        return self.warp.number * WARP


def _key(step: PictureStep) -> tuple[int, str, int]:
    return step.line, step.kind, step.array


def _visit(steps: tuple[PictureStep, ...], place: int) -> tuple[tuple[int, str, int], int]:
    """(line, kind and array), and how many such steps of the warp came before."""
    key = _key(steps[place])
    return key, sum(_key(step) == key for step in steps[:place])
