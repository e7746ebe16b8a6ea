"""Keeping every access of a small launch, warp by warp, for the picture of it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from types import FrameType
from typing import Any

import numpy as np
import numpy.typing as npt

from gpulab.engines.simt.lanes import WARP, Mask
from gpulab.engines.simt.memory import ArrayView, at
from gpulab.engines.simt.outcomes import plain_value
from gpulab.trace import Picture, PictureArray, PictureBarrier, PictureStep, PictureWarp

MOST_KEPT = 2_000_000
"""Lanes times accesses that are kept while a launch runs (some 50 MB); later ones are in no picture."""

MOST_DRAWN = 120_000
"""Lanes times accesses of the blocks in the picture (about 1 MB on its way to the caller)."""

INDEX_NAMES = "index_names"
"""The global of a lane program that holds `naming.index_names` of it."""

Ints = npt.NDArray[np.int64]
Array = npt.NDArray[Any]


@dataclass(frozen=True)
class _Access:
    """One execution of an access by some lanes of a batch; every array is [those lanes], ascending by warp."""

    line: int
    kind: str
    array: int
    warps: Ints
    """Numbers of the warps in the grid."""
    lane_ids: Ints
    cells: Ints
    values: Array
    passed: Ints
    """[blocks] barriers that each block had passed."""
    variables: dict[str, Any]
    """Name -> one integer for all, or [those lanes]."""
    outside: Any = None
    """[those lanes, axes] indices outside the array, in place of cells and values."""


class PictureRecorder:
    """Listens to the `Context`s of one launch, as `recording.Recorder` does."""

    def __init__(self, grid: tuple[int, int, int], block: tuple[int, int, int], views: Mapping[str, ArrayView]) -> None:
        self._grid, self._block = grid, block
        self._threads = block[0] * block[1] * block[2]
        self._per_block = -(-self._threads // WARP)
        self._count = grid[0] * grid[1] * grid[2]
        self._views = views
        self._accesses: list[_Access] = []
        self._arrays: dict[Any, tuple[int, PictureArray]] = {}
        self._passed: Ints = np.zeros(self._count, np.int64)
        self._barriers: list[list[PictureBarrier]] = [[] for _ in range(self._count)]
        self._left = MOST_KEPT

    # ---- what a Context tells ---------------------------------------------------------------------------------------

    def load(self, context: Any, line: int, view: ArrayView, offset: Any, value: Any, mask: Mask) -> None:
        self._keep(context, "load", line, view, offset, value, mask)

    def store(self, context: Any, line: int, view: ArrayView, offset: Any, value: Any, mask: Mask) -> None:
        """After the store; `value` None (an atomic) means what the cells hold now."""
        kind = "store" if value is not None else "atomic"
        if value is None:
            cells = view.memory.cells
            value = cells.take(offset, mode="clip") if isinstance(offset, np.ndarray) else cells[offset]
        self._keep(context, kind, line, view, offset, value, mask)

    def outside(self, context: Any, line: int, access: str, view: ArrayView, index: tuple[Any, ...],
                positions: Ints) -> None:
        """The lanes at `positions` ask for an element that is not there; the others of the step follow."""
        if access == "takes":  # a row, not an element: what is then read of it is told, too
            return
        kind = {"writes": "store", "updates": "atomic"}.get(access, "load")
        axes = [np.array([int(at(item, int(p))) for p in positions], np.int64) for item in index]
        none = np.zeros(len(positions), np.int64)
        self._add(context, kind, line, view, positions, none, none, np.stack(axes, axis=1))

    def barrier(self, context: Any, line: int, mask: Mask) -> None:
        """The blocks that have lanes in `mask` pass a barrier."""
        blocks = context.geometry.block_of[mask.lanes(context.geometry.count)]
        numbers, threads = np.unique(blocks, return_counts=True)
        self.passed(line, dict(zip(numbers.tolist(), threads.tolist(), strict=True)))

    def passed(self, line: int, threads: Mapping[int, int]) -> None:
        """These blocks pass a barrier, so many threads of each."""
        self._passed = self._passed.copy()  # accesses hold on to the counts of their time
        for block, count in threads.items():
            self._passed[block] += 1
            self._barriers[block].append(PictureBarrier(block, line, count))

    # ---- keeping ----------------------------------------------------------------------------------------------------

    def _keep(self, context: Any, kind: str, line: int, view: ArrayView, offset: Any, value: Any, mask: Mask) -> None:
        if view.memory.space == "local":
            return  # a thread's own array: there is nothing to see between threads, and a tile of sums is most steps
        positions = mask.lanes(context.geometry.count)
        cells = self._taken(offset, positions)
        values = self._taken(value, positions)
        self._add(context, kind, line, view, positions, cells, values)

    @staticmethod
    def _taken(value: Any, positions: Ints) -> Array:
        return value[positions] if isinstance(value, np.ndarray) else np.full(len(positions), value)

    def _add(self, context: Any, kind: str, line: int, view: ArrayView, positions: Ints, cells: Array,
             values: Array, outside: Any = None) -> None:
        self._left -= len(positions)
        if self._left < 0:
            return
        geometry = context.geometry
        number, base = self._array(context, view)
        origin = base[positions] if isinstance(base, np.ndarray) else base
        self._accesses.append(_Access(
            line, kind, number, geometry.warp_of[positions], geometry.lane_id[positions].astype(np.int64),
            cells.astype(np.int64) - origin, values, self._passed, _variables(line, positions), outside,
        ))

    def _array(self, context: Any, view: ArrayView) -> tuple[int, Any]:
        """The number of the array that `view` is a part of, and where its first element lies, for each lane."""
        key, root = self._root(context, view)
        if key not in self._arrays:
            memory = root.memory
            item = memory.cells.itemsize
            start = memory.first_byte + int(root.base) * item if memory.space == "global" else 0
            drawn = PictureArray(root.name, memory.space, str(memory.cells.dtype), item,
                                 tuple(int(extent) for extent in root.shape), tuple(root.strides), start)
            self._arrays[key] = (len(self._arrays), drawn)
        return self._arrays[key][0], root.base

    def _root(self, context: Any, view: ArrayView) -> tuple[Any, ArrayView]:
        """The parameter or allocation that a view (a row, a slice) was taken from, and a key for it."""
        if view.memory.space == "global":
            root = self._views.get(view.name)
            if root is None or root.memory is not view.memory:
                root = next(other for other in self._views.values() if other.memory is view.memory)
            return ("global", root.name), root
        for allocations in (context.shared, context.local):
            for key, root in allocations.items():
                if root.memory is view.memory:
                    return (view.memory.space, key), root
        return (view.memory.space, view.name), view

    # ---- the picture ------------------------------------------------------------------------------------------------

    def picture(self) -> Picture:
        """Everything that was kept of the first blocks, as many as `MOST_DRAWN` allows (one at least)."""
        blocks = self._drawn_blocks()
        steps: dict[int, list[PictureStep]] = {}
        for when, access in enumerate(self._accesses):
            for warp, step in _steps(access, when, blocks * self._per_block, self._per_block):
                _join(steps.setdefault(warp, []), step)
        warps = tuple(
            PictureWarp(block, number, min(WARP, self._threads - number * WARP),
                        tuple(steps.get(block * self._per_block + number, ())))
            for block in range(blocks) for number in range(self._per_block)
        )
        barriers = tuple(barrier for block in range(blocks) for barrier in self._barriers[block])
        arrays = tuple(array for _, array in self._arrays.values())
        return Picture(self._grid, self._block, arrays, warps, barriers, self._count - blocks)

    def _drawn_blocks(self) -> int:
        sizes = np.zeros(self._count, np.int64)
        for access in self._accesses:
            sizes += np.bincount(access.warps // self._per_block, minlength=self._count)
        return max(1, int(np.searchsorted(np.cumsum(sizes), MOST_DRAWN, side="right")))


def _steps(access: _Access, when: int, warps: int, per_block: int) -> Iterator[tuple[int, PictureStep]]:
    """The access as one step for each of its warps that is below `warps`."""
    numbers, starts = np.unique(access.warps, return_index=True)
    ends = [*starts[1:].tolist(), len(access.warps)]
    for warp, start, end in zip(numbers.tolist(), starts.tolist(), ends, strict=True):
        if warp < warps:
            yield warp, _step(access, when, slice(start, end), int(access.passed[warp // per_block]))


def _step(access: _Access, when: int, part: slice, interval: int) -> PictureStep:
    cells: list[Any] = [None] * WARP
    values: list[Any] = [None] * WARP
    lanes = access.lane_ids[part].tolist()
    outside = []
    if access.outside is not None:
        outside = [(lane, tuple(index)) for lane, index in zip(lanes, access.outside[part].tolist(), strict=True)]
    else:
        shown = access.values[part]
        plain = shown.tolist() if shown.dtype.kind in "iub" else [plain_value(value) for value in shown]
        for lane, cell, value in zip(lanes, access.cells[part].tolist(), plain, strict=True):
            cells[lane], values[lane] = cell, value
    agreed = {name: held[part] if isinstance(held, np.ndarray) else held for name, held in access.variables.items()}
    variables = tuple((name, int(np.ravel(held)[0])) for name, held in agreed.items() if np.ptp(held) == 0)
    return PictureStep(access.line, access.kind, access.array, interval, when, tuple(cells), tuple(values), variables,
                       tuple(outside))


def _join(steps: list[PictureStep], step: PictureStep) -> None:
    """Append; a step whose outside lanes were told before it takes them in."""
    before = steps[-1] if steps else None
    if before is None or not before.outside or before.lanes or step.outside or before.when + 1 != step.when:
        steps.append(step)
    elif (before.line, before.kind, before.array) == (step.line, step.kind, step.array):
        steps[-1] = replace(step, outside=before.outside)
    else:
        steps.append(step)


def _variables(line: int, positions: Ints) -> dict[str, Any]:
    """The learner's variables in the indices of this line, as the running lane program holds them."""
    frame = _program_frame()
    if frame is None:
        return {}
    found: dict[str, Any] = {}
    for name, held in frame.f_globals[INDEX_NAMES].get(line, {}).items():
        value = frame.f_locals.get(held)
        if isinstance(value, np.ndarray) and value.dtype.kind in "iu":
            found[name] = value[positions]
        elif isinstance(value, np.integer):
            found[name] = value
    return found


def _program_frame() -> FrameType | None:
    """The frame of the lane program that called the context."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and INDEX_NAMES not in frame.f_globals:
        frame = frame.f_back
    return frame
