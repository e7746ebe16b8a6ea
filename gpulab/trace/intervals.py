"""A block's shared memory from barrier to barrier: what it holds, who wrote, who read what another wrote."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from gpulab.trace.picture import WARP, Picture, PictureBarrier, PictureStep
from gpulab.trace.values import Value
from gpulab.trace.walking import varying


@dataclass(frozen=True)
class Arrow:
    """`thread` reads cell `source`, which another wrote, and what it makes of that goes to cell `target`."""

    source: int
    target: int
    thread: int


@dataclass
class Interval:
    """What happens to one shared array of one block between two barriers."""

    number: int
    contents: dict[int, Value] = field(default_factory=dict)
    """Cell -> value at the end of the interval; cells nobody has written are not in it."""
    written: set[int] = field(default_factory=set)
    read: set[int] = field(default_factory=set)
    foreign: set[int] = field(default_factory=set)
    """Cells read by a thread that had not written them last."""
    arrows: list[Arrow] = field(default_factory=list)
    threads: set[int] = field(default_factory=set)
    """Threads of the block that touched any memory."""
    lines: list[int] = field(default_factory=list)
    """Source lines that touched the array, in order."""
    variables: tuple[tuple[str, int], ...] = ()
    """Of the loop around these lines: `s` = 4."""
    fed_by: list[str] = field(default_factory=list)
    """Global arrays that were read."""
    barrier: PictureBarrier | None = None
    """The one that ends it; None for the last."""


@lru_cache(maxsize=16)
def intervals(picture: Picture, block: int, array: int) -> tuple[Interval, ...]:
    """The intervals of `block` for shared array `array` (its position in `picture.arrays`).

    A last interval in which threads only read what they wrote themselves is left out: nobody waits for it.
    """
    replay = _Replay(picture, block, array)
    found = replay.run()
    last = found[-1]
    if len(found) > 1 and not last.written and not last.foreign:
        found.pop()
    return tuple(found)


class _Replay:
    """The stores of one block, done again in their order."""

    def __init__(self, picture: Picture, block: int, array: int) -> None:
        self._picture, self._block, self._array = picture, block, array
        self._barriers = [barrier for barrier in picture.barriers if barrier.block == block]
        self._intervals = [Interval(number) for number in range(len(self._barriers) + 1)]
        for interval, barrier in zip(self._intervals, self._barriers, strict=False):
            interval.barrier = barrier
        self._contents: dict[int, Value] = {}
        self._writers: dict[int, int] = {}
        self._known: dict[int, dict[str, int | None]] = {}
        """Interval -> variable -> its value; None where it has several."""
        self._pending: dict[int, list[tuple[int, int]]] = {}
        """Thread -> (interval, cell) of what it read of others since it last stored."""

    def run(self) -> list[Interval]:
        current = 0
        for warp, step, steps in self._steps():
            while current < step.interval:
                self._close(current)
                current += 1
            self._take(warp, step, steps)
        for number in range(current, len(self._intervals)):
            self._close(number)
        return self._intervals

    def _steps(self) -> Iterator[tuple[int, PictureStep, tuple[PictureStep, ...]]]:
        """(warp number, step, all steps of its warp) of the block, by barrier interval and time."""
        warps = [warp for warp in self._picture.warps if warp.block == self._block]
        every = [(step.interval, step.when, warp.number, step, warp.steps) for warp in warps for step in warp.steps]
        for _, _, number, step, steps in sorted(every, key=lambda entry: entry[:3]):
            yield number, step, steps

    def _close(self, number: int) -> None:
        self._intervals[number].contents = dict(self._contents)

    def _take(self, warp: int, step: PictureStep, steps: tuple[PictureStep, ...]) -> None:
        interval = self._intervals[step.interval]
        interval.threads.update(warp * WARP + lane for lane in step.lanes)
        array = self._picture.arrays[step.array]
        if array.space == "global" and step.kind == "load" and array.name not in interval.fed_by:
            interval.fed_by.append(array.name)
        if step.array != self._array:
            return
        if step.line not in interval.lines:
            interval.lines.append(step.line)
        self._agree(interval, varying(steps, step))
        for lane in step.lanes:
            cell, value = step.cells[lane], step.values[lane]
            assert cell is not None and value is not None
            if step.kind == "load":
                self._read(interval, warp * WARP + lane, cell)
            else:
                self._write(interval, warp * WARP + lane, cell, value)

    def _agree(self, interval: Interval, variables: tuple[tuple[str, int], ...]) -> None:
        """Keep what all steps of the interval say alike; what runs within it tells nothing of when it is."""
        known = self._known.setdefault(interval.number, {})
        for name, value in variables:
            known[name] = value if known.get(name, value) == value else None
        interval.variables = tuple((name, value) for name, value in known.items() if value is not None)

    def _read(self, interval: Interval, thread: int, cell: int) -> None:
        interval.read.add(cell)
        if self._writers.get(cell, thread) != thread:
            interval.foreign.add(cell)
            self._pending.setdefault(thread, []).append((interval.number, cell))

    def _write(self, interval: Interval, thread: int, cell: int, value: Value) -> None:
        interval.written.add(cell)
        self._contents[cell] = value
        self._writers[cell] = thread
        reads = self._pending.pop(thread, [])
        now = [(number, source) for number, source in reads if number == interval.number]
        earlier = [(number, source) for number, source in reads if number == interval.number - 1]
        # What was read before the barrier and is stored behind it: only where there is no doubt which read it was.
        for number, source in now or (earlier if len(earlier) == 1 else []):
            self._intervals[number].arrows.append(Arrow(source, cell, thread))
