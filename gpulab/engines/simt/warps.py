"""Collectives of a warp or a block: shuffles, votes, matches, counting barriers."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from gpulab.engines.simt.context import Context
from gpulab.engines.simt.geometry import Geometry
from gpulab.engines.simt.lanes import WARP, Mask
from gpulab.engines.simt.traffic import warp_table

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


def _arrive(context: Context, mask: Mask, members: Any, line: int, what: str) -> Array:
    """[warps, 32] uint32: the member mask that each lane gives which takes part, 0 for the others.

    Checked is what CUDA asks for (CUDA C++ Programming Guide, "Warp Vote Functions"): each calling lane has its own bit
    set, and all lanes named that have not returned call with the same mask.
    """
    named = _spread(context, members).astype(np.int64).astype(np.uint32)
    table = warp_table(context.geometry, named, 0, mask)
    if context.state.check:
        _check_members(context, mask, _active(context, mask), table, line, what)
    return table


def _check_members(
    context: Context, mask: Mask, active: npt.NDArray[np.bool_], table: Array, line: int, what: str
) -> None:
    geometry, findings = context.geometry, context.state.findings
    unnamed = active & ((table & _BIT.astype(np.uint32)) == 0)
    if unnamed.any():
        row, column = np.argwhere(unnamed)[0]
        findings.unnamed(geometry, line, _lane_at(geometry, row, column), what)
        return
    absent = table & (_bits(_alive(context)) & ~_bits(active))[:, None]
    if absent.any():
        row, column = np.argwhere(absent)[0]
        missing = _lane_at(geometry, row, _lowest(int(absent[row, column])))
        findings.divergence(geometry, line, missing, _lane_at(geometry, row, column), what)
        return
    apart = _disagreeing(active, table)
    if apart is not None:
        row, one, other = apart
        findings.disagreement(geometry, line, _lane_at(geometry, row, one), _lane_at(geometry, row, other), what)


def _alive(context: Context) -> npt.NDArray[np.bool_]:
    """[warps, 32] which lanes have not returned."""
    count = context.geometry.count
    alive = np.ones(count, np.bool_) if context.returned is None else ~context.returned
    return warp_table(context.geometry, alive, False, context.everyone)


def _disagreeing(active: npt.NDArray[np.bool_], table: Array) -> tuple[int, int, int] | None:
    """(warp, lane, lane) of which the first names the second, which gives another mask."""
    largest = table.max(axis=1)
    rows = np.flatnonzero(((table != largest[:, None]) & active).any(axis=1))
    if not len(rows):
        return None
    masks, here = table[rows], active[rows]
    names = (masks[:, :, None] & _BIT.astype(np.uint32)) != 0
    apart = np.argwhere(names & here[:, None, :] & (masks[:, :, None] != masks[:, None, :]))
    if not len(apart):
        return None
    row, one, other = apart[0]
    return int(rows[row]), int(one), int(other)


def _lane_at(geometry: Geometry, row: int, column: int) -> int:
    """The number in the grid of lane `column` of the batch's warp `row`."""
    return int(geometry.lane[np.flatnonzero(geometry.warp_row == row * WARP + column)[0]])


def _lowest(bits: int) -> int:
    return (bits & -bits).bit_length() - 1


def sync_warp(context: Context, mask: Mask, members: Any, line: int) -> None:
    """`syncwarp`: orders memory among the lanes that the mask names."""
    named = _arrive(context, mask, members, line, "syncwarp")
    clocks, geometry = context.state.clocks, context.geometry
    if not context.state.check:
        return
    if clocks.lanes is None:
        clocks.warps_synced(np.unique(geometry.warp_of[mask.lanes(geometry.count)]))
        return
    warps = np.zeros(geometry.warp_rows, np.int64)
    warps[geometry.warp_row // WARP] = geometry.warp_of
    threads = np.minimum(WARP, geometry.threads - warps % geometry.warps_per_block * WARP)
    everyone = (np.int64(1) << threads) - 1
    calling = named.any(axis=1)
    whole = calling & ((named.max(axis=1) & everyone) == everyone)
    clocks.warps_synced(warps[whole])
    clocks.lanes.synced(warps[calling & ~whole], named[calling & ~whole], clocks.now)


def shuffle(context: Context, mask: Mask, mode: str, members: Any, value: Any, amount: Any, line: int) -> Any:
    """`shfl_sync` ("idx"), `shfl_up_sync`, `shfl_down_sync`, `shfl_xor_sync`: the value of another lane of the warp.

    Beyond the warp's edge a lane keeps its own value (CUDA C++ Programming Guide, "Warp Shuffle Functions"). A lane
    that the own mask does not name offers nothing, even if it makes the same call for a group of its own.
    """
    named = _arrive(context, mask, members, line, "the shuffle")
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
        group = named.reshape(-1)[geometry.warp_row]
        bits = _BIT.astype(np.uint32)
        idle = ((group & bits[source]) == 0) | ~_active(context, mask).reshape(-1)[where]
        idle &= (group & bits[own]) != 0  # who is not in the own mask has been reported
        if mask.bits is not None:
            idle &= mask.bits
        if idle.any():
            first = int(np.flatnonzero(idle)[0])
            context.state.findings.shuffle_from_idle(geometry, line, first, int(source[first]))
    return table[where]


def vote(context: Context, mask: Mask, mode: str, members: Any, predicate: Any, line: int) -> Any:
    """`all_sync`, `any_sync`, `eq_sync` (bool) and `ballot_sync` (uint32 bits of the lanes whose predicate holds).

    Each lane gets the votes of those that its own mask names: groups of one warp may vote at once.
    """
    named = _arrive(context, mask, members, line, "the vote")
    holds = warp_table(context.geometry, _spread(context, predicate).astype(np.bool_), False, mask)
    votes = _bits(holds)[:, None] & named
    if mode == "ballot":
        return _back(context, votes)
    against = _bits(_active(context, mask) & ~holds)[:, None] & named
    every: Any = against == 0
    result = {"all": every, "any": votes != 0, "eq": every | (votes == 0)}[mode]
    return _back(context, result)


def _bits(table: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint32]:
    bits: npt.NDArray[np.uint32] = (table * _BIT).sum(axis=-1).astype(np.uint32)
    return bits


def match(context: Context, mask: Mask, mode: str, members: Any, value: Any, line: int) -> Any:
    """`match_any_sync` (bits of the lanes with the same value) and `match_all_sync` (bits, all equal).

    Each lane is compared with those that its own mask names.
    """
    named = _arrive(context, mask, members, line, "the match")
    active = _active(context, mask)
    values = _spread(context, value)
    bits_of_value = values.view(f"u{values.itemsize}") if values.dtype.kind == "f" else values
    table = warp_table(context.geometry, bits_of_value, bits_of_value.dtype.type(0), mask)
    same = (table[:, :, None] == table[:, None, :]) & active[:, None, :]
    bits = _bits(same) & named
    if mode == "any":
        return _back(context, bits)
    everyone = _bits(active)[:, None] & named
    alike = bits == everyone
    return _back(context, np.where(alike, everyone, 0).astype(np.uint32)), _back(context, alike)


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
