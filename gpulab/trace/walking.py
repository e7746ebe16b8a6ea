"""Where one is in a picture, and the ways on: time, source, warps, blocks, threads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from gpulab.trace.picture import Picture, PictureArray, PictureStep, PictureWarp


@dataclass(frozen=True)
class Position:
    """A step of a warp."""

    warp: int = 0
    """Its place in `Picture.warps`."""
    step: int = 0
    """Its place in `PictureWarp.steps`."""
    lane: int | None = None
    """The chosen thread."""


class NotThere(LookupError):
    """There is no such block or step; the message says what there is."""


@dataclass(frozen=True)
class Walk:
    """A picture as one walks through it. Every way on gives a new position; at the end of a way it stays."""

    picture: Picture

    def warp(self, position: Position) -> PictureWarp:
        return self.picture.warps[position.warp]

    def step(self, position: Position) -> PictureStep | None:
        """The step; None in a warp that did nothing."""
        steps = self.warp(position).steps
        return steps[position.step] if steps else None

    def array(self, step: PictureStep) -> PictureArray:
        return self.picture.arrays[step.array]

    def start(self, block: int | None = None, wanted: Callable[[PictureStep], bool] = lambda step: True) -> Position:
        """The first step that is `wanted`, of the first warp of `block` (of all) that has one; else of its first warp.

        Raises `NotThere` for a block that is not in the picture.
        """
        blocks = sorted({warp.block for warp in self.picture.warps})
        if block is not None and block not in blocks:
            raise NotThere(self._no_block(block, len(blocks)))
        warps = [place for place, warp in enumerate(self.picture.warps) if block is None or warp.block == block]
        found = (Position(place, number) for place in warps
                 for number, step in enumerate(self.picture.warps[place].steps) if wanted(step))
        return next(found, Position(warps[0]))

    def _no_block(self, block: int, drawn: int) -> str:
        count = self.picture.block_count
        if 0 <= block < count:
            return f"Block {block} is not in the picture of the first {drawn} of {count}: choose 0 to {drawn - 1}."
        if count == 1:
            return f"There is no block {block}: the launch has one, block 0."
        return f"There is no block {block}: the launch has {count}, so choose 0 to {count - 1}."

    def along(self, position: Position, by: int = 1) -> Position:
        """The next step in time (or, with `by` = -1, the one before)."""
        last = len(self.warp(position).steps) - 1
        return replace(position, step=max(0, min(last, position.step + by)))

    def down(self, position: Position, by: int = 1) -> Position:
        """The next line of the source that did something (up with `by` = -1), at its first step from here on."""
        steps = self.warp(position).steps
        if not steps:
            return position
        here = steps[position.step].line
        lines = sorted({step.line for step in steps})
        place = lines.index(here) + by
        if not 0 <= place < len(lines):
            return position
        there = [number for number, step in enumerate(steps) if step.line == lines[place]]
        return replace(position, step=next((number for number in there if number >= position.step), there[0]))

    def next_warp(self, position: Position, by: int = 1) -> Position:
        """The next warp, round and round, at the same moment."""
        return self._at(position, (position.warp + by) % len(self.picture.warps))

    def next_block(self, position: Position, by: int = 1) -> Position:
        """The next block's first warp, round and round, at the same moment."""
        per_block = self.picture.warps_per_block
        count = len(self.picture.warps) // per_block
        return self._at(position, (self.warp(position).block + by) % count * per_block)

    def next_thread(self, position: Position, by: int = 1) -> Position:
        """The next lane, round and round; the first where none was chosen."""
        threads = self.warp(position).threads
        lane = 0 if position.lane is None else (position.lane + by) % threads
        return replace(position, lane=lane)

    def _at(self, position: Position, warp: int) -> Position:
        """The step of another warp that ran with this one; else the one with the same number."""
        here = self.step(position)
        steps = self.picture.warps[warp].steps
        same = (number for number, step in enumerate(steps) if here is not None and step.when == here.when)
        step = next(same, max(0, min(position.step, len(steps) - 1)))
        threads = self.picture.warps[warp].threads
        lane = None if position.lane is None else min(position.lane, threads - 1)
        return Position(warp, step, lane)


def varying(steps: Sequence[PictureStep], step: PictureStep) -> tuple[tuple[str, int], ...]:
    """The step's variables that take several values over the steps of its line: what counts a loop."""
    seen: dict[str, set[int]] = {}
    for other in steps:
        if other.line == step.line:
            for name, value in other.variables:
                seen.setdefault(name, set()).add(value)
    return tuple((name, value) for name, value in step.variables if len(seen.get(name, ())) > 1)
