"""Collectives of a warp or a block: shuffles, votes, matches, counting barriers."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from gpulab.engines.simt.context import Context
from gpulab.engines.simt.counting import warp_table
from gpulab.engines.simt.lanes import WARP, Mask

Array = npt.NDArray[Any]
_BIT = np.uint64(1) << np.arange(WARP, dtype=np.uint64)


def _spread(context: Context, value: Any) -> Array:
    """A value as [lanes]."""
    if isinstance(value, np.ndarray):
        return value
    return np.full(context.geometry.count, value)


def _active(context: Context, mask: Mask) -> npt.NDArray[np.bool_]:
    """[warps, 32] which lanes take part."""
    return warp_table(context.geometry, np.ones(context.geometry.count, np.bool_), False, mask)


def _back(context: Context, table: Array) -> Array:
    """[warps, 32] or [warps, 1] to [lanes]."""
    whole = np.broadcast_to(table, (context.geometry.warp_rows, WARP)).reshape(-1)
    return whole[context.geometry.warp_row]


def _arrive(context: Context, mask: Mask, members: Any, line: int, what: str) -> npt.NDArray[np.bool_]:
    """Check that exactly the lanes named by `members` [bits of 32 lanes] arrive; the table of those that did."""
    active = _active(context, mask)
    if not context.state.check:
        return active
    named = _spread(context, members).astype(np.uint64)
    named_table = (warp_table(context.geometry, named, np.uint64(0), mask)[:, :, None] & _BIT) != 0  # type: ignore[arg-type]
    expected = named_table.any(axis=1)
    geometry = context.geometry
    alive = np.ones(geometry.count, np.bool_) if context.returned is None else ~context.returned
    alive_table = warp_table(geometry, alive, False, context.everyone)
    absent = expected & alive_table & ~active
    if absent.any():
        row, column = np.argwhere(absent)[0]
        here = int(np.flatnonzero(active[row])[0])
        first = int(geometry.lane[np.flatnonzero(geometry.warp_row == row * WARP + here)[0]])
        missing = int(geometry.lane[np.flatnonzero(geometry.warp_row == row * WARP + column)[0]])
        context.state.findings.divergence(geometry, line, missing, first, what)
    return active


def sync_warp(context: Context, mask: Mask, members: Any, line: int) -> None:
    """`syncwarp`: orders memory among the lanes of a warp."""
    _arrive(context, mask, members, line, "syncwarp")
    if context.state.check:
        context.state.clocks.warps_synced(np.unique(context.geometry.warp_of[mask.lanes(context.geometry.count)]))


def shuffle(context: Context, mask: Mask, mode: str, members: Any, value: Any, amount: Any, line: int) -> Any:
    """`shfl_sync` ("idx"), `shfl_up_sync`, `shfl_down_sync`, `shfl_xor_sync`: the value of another lane of the warp.

    Beyond the warp's edge a lane keeps its own value (CUDA C++ Programming Guide, "Warp Shuffle Functions").
    """
    active = _arrive(context, mask, members, line, "the shuffle")
    geometry = context.geometry
    own = geometry.lane_id.astype(np.int64)
    step = _spread(context, amount).astype(np.int64)
    source = {"idx": step % WARP, "up": own - step, "down": own + step, "xor": own ^ step}[mode]
    outside = (source < 0) | (source >= WARP)
    source = np.where(outside, own, source)
    where = geometry.warp_row // WARP * WARP + source
    values = _spread(context, value)
    table = np.zeros(geometry.warp_rows * WARP, values.dtype)
    table[geometry.warp_row] = values
    if context.state.check:
        idle = ~active.reshape(-1)[where]
        if mask.bits is not None:
            idle &= mask.bits
        if idle.any():
            first = int(np.flatnonzero(idle)[0])
            context.state.findings.shuffle_from_idle(geometry, line, first, int(source[first]))
    return table[where]


def vote(context: Context, mask: Mask, mode: str, members: Any, predicate: Any, line: int) -> Any:
    """`all_sync`, `any_sync`, `eq_sync` (bool) and `ballot_sync` (uint32 bits of the lanes whose predicate holds)."""
    active = _arrive(context, mask, members, line, "the vote")
    holds = warp_table(context.geometry, _spread(context, predicate).astype(np.bool_), False, mask) & active
    if mode == "ballot":
        return _back(context, _bits(holds)[:, None])
    every: Any = (holds | ~active).all(axis=1)
    some: Any = holds.any(axis=1)
    result = {"all": every, "any": some, "eq": every | ~some}[mode]
    return _back(context, result[:, None])


def _bits(table: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint32]:
    bits: npt.NDArray[np.uint32] = (table * _BIT).sum(axis=-1).astype(np.uint32)
    return bits


def match(context: Context, mask: Mask, mode: str, members: Any, value: Any, line: int) -> Any:
    """`match_any_sync` (bits of the lanes with the same value) and `match_all_sync` (bits, all equal)."""
    active = _arrive(context, mask, members, line, "the match")
    values = _spread(context, value)
    bits_of_value = values.view(f"u{values.itemsize}") if values.dtype.kind == "f" else values
    table = warp_table(context.geometry, bits_of_value, bits_of_value.dtype.type(0), mask)
    same = (table[:, :, None] == table[:, None, :]) & active[:, None, :]
    bits = _bits(same)
    if mode == "any":
        return _back(context, bits)
    all_equal = (bits == _bits(active)[:, None]) | ~active
    everyone = all_equal.all(axis=1)
    return (
        _back(context, np.where(everyone, _bits(active), 0).astype(np.uint32)[:, None]),
        _back(context, everyone[:, None]),
    )


def active_mask(context: Context, mask: Mask) -> Any:
    """`activemask`: bits of the lanes that run together now."""
    return _back(context, _bits(_active(context, mask))[:, None])


def block_vote(context: Context, mask: Mask, mode: str, predicate: Any, line: int) -> Any:
    """`syncthreads_count`, `_and`, `_or`: int32, over the threads of each block."""
    context.barrier(mask, line)
    slots = context.geometry.slot_of
    holds = _spread(context, predicate) != 0
    if mask.bits is not None:
        holds = holds & mask.bits
    blocks = len(context.geometry.blocks)
    count = np.bincount(slots[holds], minlength=blocks)
    result: Array
    if mode == "count":
        result = count
    elif mode == "or":
        result = count > 0
    else:
        result = count == np.bincount(slots[mask.lanes(context.geometry.count)], minlength=blocks)
    return result.astype(np.int32)[slots]
