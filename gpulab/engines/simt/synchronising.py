"""Barriers, warp-level calls and fences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import cuda
from numba.cuda import types

from gpulab.engines.simt import warps
from gpulab.engines.simt.spelling import Writer

if TYPE_CHECKING:
    from gpulab.engines.simt.lower import Lowering


def _sync_threads(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> None:
    low.waits = True
    low.write(f"yield from ctx.collective('barrier', m, {low.line})")


def _sync_vote(mode: str) -> Writer:
    def write(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str:
        low.waits = True
        low.write(f"r = yield from ctx.collective({mode!r}, m, {low.line}, {low.value(value.args[0])})")
        return "r"

    return write


def _warp_collective(name: str, result: np.dtype[Any] | None, pair: bool = False) -> Writer:
    """A warp-level call whose first argument is the member mask."""

    def write(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str | None:
        low.waits = True
        low.parts_warps |= name == "syncwarp" and _names_a_part(low, value.args)
        arguments = [low.value(argument, kind) for argument, kind in zip(value.args, signature.args, strict=True)]
        if not arguments:
            arguments = [low.bind_scalar(0xFFFFFFFF, np.dtype(np.int64))]
        low.write(f"r = yield from ctx.collective({name!r}, m, {low.line}, {', '.join(arguments)})")
        if pair:
            return f"(cast(r[0], {low.bind(low.dtype(held[0]))}), r[1])"
        if result is None and isinstance(held, types.NoneType):
            return None
        return f"cast(r, {low.bind(low.dtype(held))})"

    return write


def _names_a_part(low: Lowering, arguments: Any) -> bool:
    """Whether the mask of a `syncwarp` may be anything but all 32 lanes."""
    mask = low.static(arguments[0]) if arguments else -1
    return not isinstance(mask, int) or mask & 0xFFFFFFFF != 0xFFFFFFFF


def _fence(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> None:
    low.write("ctx.fence(m)")


def _fence_block(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> None:
    low.write("pass")


def _active_mask(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str:
    return f"cast({low.bind(warps.active_mask)}(ctx, m), {low.bind(low.dtype(held))})"


def _lanemask(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str:
    return f"((np.int64(1) << ctx.geometry.lane_id.astype(np.int64)) - np.int64(1)).astype({low.bind(low.dtype(held))})"


def _nanosleep(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> None:
    low.write("pass")


CALLS: dict[Any, Writer] = {
    cuda.syncthreads: _sync_threads,
    cuda.syncthreads_count: _sync_vote("count"),
    cuda.syncthreads_and: _sync_vote("and"),
    cuda.syncthreads_or: _sync_vote("or"),
    cuda.syncwarp: _warp_collective("syncwarp", None),
    cuda.shfl_sync: _warp_collective("idx", np.dtype(np.int32)),
    cuda.shfl_up_sync: _warp_collective("up", np.dtype(np.int32)),
    cuda.shfl_down_sync: _warp_collective("down", np.dtype(np.int32)),
    cuda.shfl_xor_sync: _warp_collective("xor", np.dtype(np.int32)),
    cuda.all_sync: _warp_collective("all", np.dtype(np.bool_)),
    cuda.any_sync: _warp_collective("any", np.dtype(np.bool_)),
    cuda.eq_sync: _warp_collective("eq", np.dtype(np.bool_)),
    cuda.ballot_sync: _warp_collective("ballot", np.dtype(np.int32)),
    cuda.match_any_sync: _warp_collective("match_any", np.dtype(np.int32)),
    cuda.match_all_sync: _warp_collective("match_all", None, pair=True),
    cuda.threadfence: _fence,
    cuda.threadfence_system: _fence,
    cuda.threadfence_block: _fence_block,
    cuda.activemask: _active_mask,
    cuda.lanemask_lt: _lanemask,
    cuda.nanosleep: _nanosleep,
}
"""Function -> how a call of it is written."""
