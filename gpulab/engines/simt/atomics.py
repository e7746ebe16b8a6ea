"""Atomics: lanes that meet in one cell take turns, in lane order."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from gpulab.engines.simt.atomic_counts import count_atomic
from gpulab.engines.simt.context import Context
from gpulab.engines.simt.lanes import Mask
from gpulab.engines.simt.memory import ArrayView

Array = npt.NDArray[Any]
Ints = npt.NDArray[np.int64]


def _inc(old: Array, limit: Array) -> Any:
    return np.where(old >= limit, old.dtype.type(0), old + old.dtype.type(1))


def _dec(old: Array, limit: Array) -> Any:
    return np.where((old == 0) | (old > limit), limit, old - old.dtype.type(1))


UFUNCS: dict[str, np.ufunc] = {
    "add": np.add,
    "sub": np.subtract,
    "and_": np.bitwise_and,
    "or_": np.bitwise_or,
    "xor": np.bitwise_xor,
    "max": np.maximum,
    "min": np.minimum,
    "nanmax": np.fmax,
    "nanmin": np.fmin,
}

ROUNDS: dict[str, Callable[[Array, Array], Any]] = {
    "inc": _inc,
    "dec": _dec,
    "exch": lambda old, new: new,
}


def atomic(
    context: Context,
    operation: str,
    view: ArrayView,
    index: tuple[Any, ...],
    value: Any,
    mask: Mask,
    line: int,
    wanted: bool,
    compare: Any = None,
) -> Any:
    """`cuda.atomic.<operation>(view, index, value)`: the old values [lanes] where they are `wanted`.

    With `compare` (cas) the cell changes only where it equals `compare`.
    """
    offset, good = context._offsets(line, "updates", view, index, mask)
    memory = view.memory
    dtype = memory.cells.dtype
    if good is None:
        return dtype.type(0)
    lanes = good.lanes(context.geometry.count)
    cells = offset[lanes] if isinstance(offset, np.ndarray) else np.full(len(lanes), int(offset))
    values = _per_lane(value, lanes, dtype)
    _check(context, view, offset, cells, good, line)
    before = memory.cells[cells] if context.state.spins else None
    old: Array | None
    if compare is not None:
        old = _in_rounds(memory.cells, cells, _swap_if_equal, values, _per_lane(compare, lanes, dtype))
    elif operation in ROUNDS:
        old = _in_rounds(memory.cells, cells, lambda cell, new, _: ROUNDS[operation](cell, new), values, values)
    else:
        old = _by_ufunc(memory.cells, cells, UFUNCS[operation], _ignoring_nan(operation, values), wanted)
    if before is not None:
        context.state.changed += int(np.any(memory.cells[cells] != before))
    if memory.initialised is not None:
        memory.mark_initialised(cells)
    if context.state.tally is not None:
        count_atomic(context.state.tally, context.geometry, operation, view, offset, good, line)
    if context.state.recorder is not None:
        context.state.recorder.store(context, line, view, offset, None, good)
    if old is None:
        return dtype.type(0)
    result = np.zeros(context.geometry.count, dtype)
    result[lanes] = old
    return result


def _ignoring_nan(operation: str, values: Array) -> Array:
    """`atomic.max` and `min` change nothing for a value that is NaN; a cell that is NaN stays so (seen on an H200)."""
    if operation not in ("max", "min") or values.dtype.kind != "f":
        return values
    return np.where(np.isnan(values), -np.inf if operation == "max" else np.inf, values).astype(values.dtype)


def _per_lane(value: Any, lanes: Ints, dtype: np.dtype[Any]) -> Array:
    if isinstance(value, np.ndarray):
        return value[lanes].astype(dtype, copy=False)
    return np.full(len(lanes), value, dtype)


def _check(context: Context, view: ArrayView, offset: Any, cells: Ints, mask: Mask, line: int) -> None:
    state = context.state
    if not state.check:
        return
    if view.memory.initialised is not None:
        context._check_initialised(view, offset, mask, line)
    if view.memory.shadow is not None:
        time = state.clocks.tick(line)
        conflict = view.memory.shadow.update(context.geometry, time, offset, mask)
        if conflict is not None:
            context._report_race(line, "updates", view, conflict)
    if state.clocks.fence is not None:
        blocks = context.geometry.block_of[mask.lanes(context.geometry.count)]
        for cell, block in zip(cells.tolist(), blocks.tolist(), strict=True):
            state.clocks.atomic_on(id(view.memory), cell, block)


def _by_ufunc(memory: Array, cells: Ints, ufunc: np.ufunc, values: Array, wanted: bool) -> Array | None:
    """Old values in lane order, or None where nobody wants them."""
    if not wanted:
        ufunc.at(memory, cells, values)
        return None
    order = np.argsort(cells, kind="stable")
    ordered, starts = _segments(cells, order)
    if len(starts) == len(cells):
        old = memory[cells]
        memory[cells] = ufunc(old, values)
        return old
    longest = int(np.diff(np.append(starts, len(cells))).max())
    if len(starts) > longest:
        return _in_rounds(memory, cells, lambda cell, new, _: ufunc(cell, new), values, values)
    old = np.empty_like(values)
    for start, end in zip(starts, np.append(starts[1:], len(cells)), strict=True):
        chain = ufunc.accumulate(
            np.concatenate((memory[ordered[start] : ordered[start] + 1], values[order[start:end]]))
        )
        old[order[start:end]] = chain[:-1]
        memory[ordered[start]] = chain[-1]
    return old


def _segments(cells: Ints, order: Ints) -> tuple[Ints, Ints]:
    ordered = cells[order]
    return ordered, np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))


def _swap_if_equal(cell: Array, new: Array, compare: Array) -> Array:
    return np.where(cell == compare, new, cell)


def _in_rounds(
    memory: Array, cells: Ints, step: Callable[[Array, Array, Array], Array], values: Array, extra: Array
) -> Array:
    """One round for each lane of the most crowded cell; in a round no cell occurs twice."""
    order = np.argsort(cells, kind="stable")
    _, starts = _segments(cells, order)
    rank = np.arange(len(cells)) - np.repeat(starts, np.diff(np.append(starts, len(cells))))
    by_rank = order[np.argsort(rank, kind="stable")]
    bounds = np.concatenate(([0], np.cumsum(np.bincount(rank))))
    old = np.empty(len(cells), memory.dtype)
    for start, end in itertools.pairwise(bounds):
        who = by_rank[start:end]
        where = cells[who]
        old[who] = memory[where]
        memory[where] = step(old[who], values[who], extra[who])
    return old
