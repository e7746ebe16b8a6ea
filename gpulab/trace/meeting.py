"""Where the threads of a finding are in a picture: the steps at which they touch what they should not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gpulab.trace.coordinates import Coordinates
from gpulab.trace.model import Finding
from gpulab.trace.picture import WARP, Picture, PictureStep
from gpulab.trace.walking import Position

KINDS = {"reads": "load", "writes": "store", "updates": "atomic"}


@dataclass(frozen=True)
class Side:
    """One thread of a finding, at its step."""

    position: Position
    line: int
    thread: Coordinates
    block: Coordinates
    access: str
    """"reads", "writes" or "updates"."""


def sides(picture: Picture, finding: Finding) -> list[Side]:
    """The threads of a finding with their steps, the named one first; without those that are not in the picture.

    A barrier that some threads miss is no access: of such a finding there are none.
    """
    if finding.array is None or finding.block is None or finding.thread is None:
        return []
    first = _side(picture, finding, finding.line, finding.block, finding.thread, finding.access, None)
    if first is None or finding.other is None:
        return [first] if first is not None else []
    other = finding.other
    near = picture.warps[first.position.warp].steps[first.position.step]
    second = _side(picture, finding, other.line, other.block, other.thread, finding.other_access, near)
    return [first, second] if second is not None else [first]


def _side(picture: Picture, finding: Finding, line: int, block: Coordinates, thread: Coordinates,
          access: str | None, near: PictureStep | None) -> Side | None:
    """The step of a thread on a line that touches the finding's element; of several the one `near` in time."""
    number = linear(thread, picture.threads)
    found = []
    for place, warp in enumerate(picture.warps):
        if (warp.block, warp.number) == (linear(block, picture.blocks), number // WARP):
            found = [(step, Position(place, at, number % WARP)) for at, step in enumerate(warp.steps)
                     if step.line == line and _touches(picture, step, number % WARP, finding, access)]
    if not found:
        return None
    step, position = found[0] if near is None else min(
        found, key=lambda each: (abs(each[0].interval - near.interval), abs(each[0].when - near.when)))
    verb = access or next(verb for verb, kind in KINDS.items() if kind == step.kind)
    return Side(position, line, thread, block, verb)


def _touches(picture: Picture, step: PictureStep, lane: int, finding: Finding, access: str | None) -> bool:
    array = picture.arrays[step.array]
    if array.name != finding.array or (access in KINDS and step.kind != KINDS[access]):
        return False
    if finding.index is None:
        return step.cells[lane] is not None
    cell = step.cells[lane]
    return (lane, finding.index) in step.outside or (cell is not None and array.index(cell) == finding.index)


def touching(picture: Picture, step: PictureStep, block: int) -> Iterator[tuple[int, int, PictureStep]]:
    """(warp number, its place in time, step) of a block's warps on the step's line and array, in its interval."""
    for warp in picture.warps:
        if warp.block == block:
            for place, other in enumerate(warp.steps):
                if (other.line, other.kind, other.array, other.interval) == (
                        step.line, step.kind, step.array, step.interval):
                    yield warp.number, place, other


def linear(where: Coordinates, size: Coordinates) -> int:
    """The number of a block in its grid, of a thread in its block."""
    x, y, z = where
    return x + size[0] * (y + size[1] * z)
