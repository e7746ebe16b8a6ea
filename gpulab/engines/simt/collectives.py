"""Performing a barrier or warp-level call for lanes that are all here."""

from __future__ import annotations

from typing import Any

from gpulab.engines.simt import warps
from gpulab.engines.simt.context import Context
from gpulab.engines.simt.lanes import Mask

OF_BLOCKS = ("barrier", "count", "and", "or", "grid")
"""Collectives that more than one warp takes part in."""


def perform(context: Context, kind: str, mask: Mask, line: int, arguments: tuple[Any, ...]) -> Any:
    """The result of a collective for the lanes of `mask`."""
    if kind == "barrier":
        context.barrier(mask, line)
        return None
    if kind in ("count", "and", "or"):
        return warps.block_vote(context, mask, kind, arguments[0], line)
    if kind == "grid":
        context.barrier(mask, line)
        context.state.clocks.grid_synced()
        return None
    if kind == "syncwarp":
        return warps.sync_warp(context, mask, arguments[0], line)
    members, *rest = arguments
    if kind in ("idx", "up", "down", "xor"):
        return warps.shuffle(context, mask, kind, members, rest[0], rest[1], line)
    if kind in ("match_any", "match_all"):
        return warps.match(context, mask, kind.split("_")[1], members, rest[0], line)
    return warps.vote(context, mask, kind, members, rest[0], line)
