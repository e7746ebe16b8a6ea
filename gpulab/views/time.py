"""The barrier intervals of a block as a view walks through them, and what happens in one, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod

from gpulab.trace.intervals import Interval, intervals
from gpulab.trace.picture import PictureArray
from gpulab.views import figures
from gpulab.views.scene import Scene
from gpulab.views.subscripts import operator_on

MOST_CELLS = 16
"""Cells of an array that are drawn at once."""


@dataclass(frozen=True)
class Time:
    """The intervals of one block and one of its shared arrays, and which of them is chosen."""

    scene: Scene
    array: int
    intervals: tuple[Interval, ...]
    chosen: int
    first_cell: int = 0
    """Cells from here on are drawn."""
    most_cells: int = MOST_CELLS

    @property
    def shape(self) -> PictureArray:
        return self.scene.picture.arrays[self.array]

    @property
    def now(self) -> Interval:
        return self.intervals[self.chosen]

    @property
    def raced(self) -> set[int]:
        """Cells that threads race for."""
        return {self.shape.cell(finding.index) for finding in self.scene.findings
                if finding.kind == "race" and finding.array == self.shape.name and finding.index is not None
                and len(finding.index) == len(self.shape.strides)}

    @property
    def cells(self) -> int:
        """How many the array has."""
        return prod(self.shape.shape)

    @property
    def touched(self) -> list[int]:
        """Cells that anybody ever touches."""
        return sorted({cell for interval in self.intervals for cell in interval.written | interval.read})

    @property
    def drawn(self) -> list[int]:
        """Of those the ones that are drawn: from `first_cell` on."""
        return [cell for cell in self.touched if cell >= self.first_cell][:self.most_cells]


def shared_arrays(scene: Scene) -> list[int]:
    """The shared arrays of the kernel, as positions in the picture's arrays."""
    return [place for place, array in enumerate(scene.picture.arrays) if array.space == "shared"]


def time_of(scene: Scene, *, array: int | None = None, interval: int | None = None,
            first_cell: int | None = None) -> Time:
    """The intervals around the scene's step: of the shared array it touches, else of the kernel's first one.

    `interval` counts from 0; left out, it is the one the step is in. The kernel must have a shared array.
    """
    places = shared_arrays(scene)
    steps = scene.warp.steps
    if array is None:
        array = scene.step.array if steps and scene.step.array in places else places[0]
    found = intervals(scene.picture, scene.warp.block, array)
    here = (scene.step.interval if steps else 0) if interval is None else interval
    time = Time(scene, array, found, max(0, min(here, len(found) - 1)), first_cell or 0)
    if first_cell is None and time.raced:
        return replace(time, first_cell=max(0, min(time.raced) - MOST_CELLS // 2))
    return time


def loop_of(interval: Interval) -> str:
    """`s = 4`."""
    return ", ".join(f"{name} = {value}" for name, value in interval.variables[:1])


def what_happens(time: Time) -> str:
    """`threads 0 to 3 add the cell 4 further on`."""
    now = time.now
    verb = next((found for line in now.lines if (found := operator_on(time.scene.source, line))), None)
    if now.arrows:
        who = _threads(sorted({arrow.thread for arrow in now.arrows}))
        steps = {arrow.source - arrow.target for arrow in now.arrows}
        doing = verb if verb and now.written else "read"
        if len(steps) == 1:
            step = steps.pop()
            where = f"the cell {abs(step)} {'further on' if step > 0 else 'before'}"
            return f"{who} {_agree(doing, who)} {where}"
        return f"{who} {_agree(doing, who)} cells that others wrote"
    writers = _threads(sorted(now.threads))
    if now.written and not now.read:
        source = f" from {figures.listed(now.fed_by, 2)}" if now.fed_by else ""
        return f"{writers} {_agree('fill', writers)} {figures.plural(len(now.written), 'cell')}{source}"
    if now.foreign:
        return f"{writers} {_agree('read', writers)} cells that others wrote"
    if now.written:
        return f"{writers} {_agree('change', writers)} {figures.plural(len(now.written), 'cell')}"
    if now.read:
        return f"{writers} {_agree('read', writers)} {figures.plural(len(now.read), 'cell')}"
    return f"nobody touches {time.shape.name}"


def _agree(verb: str, who: str) -> str:
    return f"{verb}s" if who.startswith("thread ") else verb


def _threads(numbers: Sequence[int]) -> str:
    """`thread 0`, `threads 0 to 15`, `8 threads`."""
    if not numbers:
        return "no thread"
    if len(numbers) == 1:
        return f"thread {numbers[0]}"
    if len(numbers) == 2:
        return f"threads {numbers[0]} and {numbers[1]}"
    if numbers[-1] - numbers[0] + 1 == len(numbers):
        return f"threads {numbers[0]} to {numbers[-1]}"
    return f"{len(numbers)} threads"
