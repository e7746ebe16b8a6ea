"""Counting atomics: as written, and the loads of the loops that the compiler makes of some."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from gpulab.engines.simt.counting import Tally, figures
from gpulab.engines.simt.geometry import Geometry
from gpulab.engines.simt.lanes import WARP, Mask
from gpulab.engines.simt.memory import ArrayView
from gpulab.engines.simt.rewrites import needs_loop, reloads
from gpulab.engines.simt.traffic import conflicts, in_global, in_shared

LOOP = "The compiler makes a loop of this atomic: load, compute, compare-and-swap, again where another came first."


def count_atomic(
    tally: Tally, geometry: Geometry, operation: str, view: ArrayView, offset: Any, mask: Mask, line: int
) -> None:
    """One executed atomic of the lanes of `mask` on the cells at `offset`."""
    space = view.memory.space
    tally.add(line, "atomics", mask.count)
    if space not in ("global", "shared"):
        return
    tally.add(line, f"{space}_atomics", mask.count)
    if not tally.of_memory:
        return
    tally.add(line, "atomic_conflicts", conflicts(geometry, offset, mask))
    dtype = view.memory.cells.dtype
    if not needs_loop(operation, space, dtype):
        return
    once = not reloads(operation, space, dtype)
    for lanes in [mask] if once else _rounds(geometry, offset, mask):
        traffic = (in_global if space == "global" else in_shared)(geometry, view, offset, lanes)
        tally.compiled(line, figures(view, "load", lanes.count, traffic), LOOP)


def _rounds(geometry: Geometry, offset: Any, mask: Mask) -> list[Mask]:
    """The lanes that try in each round: of those of a warp that meet in a cell, one gets through in each."""
    lanes = mask.lanes(geometry.count)
    cells = offset[lanes] if isinstance(offset, np.ndarray) else np.zeros(len(lanes), np.int64)
    rank = np.zeros(geometry.count, np.int64)
    rank[lanes] = 1 + _ranks(geometry.warp_row[lanes] // WARP, cells)
    return [Mask(rank > before, int(np.count_nonzero(rank > before))) for before in range(int(rank.max(initial=0)))]


def _ranks(warps: npt.NDArray[Any], cells: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """[lanes] how many lanes before it, in its warp, go for the same cell."""
    order = np.lexsort((cells, warps))
    new = np.ones(len(order), np.bool_)
    new[1:] = (warps[order][1:] != warps[order][:-1]) | (cells[order][1:] != cells[order][:-1])
    place = np.arange(len(order))
    ranks = np.empty(len(order), np.int64)
    ranks[order] = place - np.maximum.accumulate(np.where(new, place, 0))
    return ranks
