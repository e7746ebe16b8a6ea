"""Counters per source line, vectorised over lanes."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
import numpy.typing as npt

from gpulab.engines.simt.geometry import Geometry
from gpulab.engines.simt.lanes import WARP, Mask
from gpulab.engines.simt.memory import ArrayView
from gpulab.trace import COUNTERS, Counters

SECTOR = 32
"""Bytes of a memory sector (CUDA C++ Best Practices Guide, "Coalesced Access to Global Memory")."""


class Tally:
    """Counts by source line while a launch runs."""

    def __init__(self) -> None:
        self._lines: defaultdict[int, defaultdict[str, int]] = defaultdict(lambda: defaultdict(int))

    def add(self, line: int, counter: str, count: int) -> None:
        self._lines[line][counter] += count

    def global_access(
        self, geometry: Geometry, line: int, kind: str, view: ArrayView, offsets: Any, mask: Mask
    ) -> None:
        """One execution of a global load or store ("load" or "store") by the lanes of `mask`."""
        counts = self._lines[line]
        counts[f"global_{kind}s"] += mask.count
        requests, sectors = _requests_and_sectors(geometry, view, offsets, mask)
        counts[f"global_{kind}_requests"] += requests
        counts[f"global_{kind}_sectors"] += sectors

    def shared_access(self, geometry: Geometry, line: int, kind: str, mask: Mask) -> None:
        """One execution of a shared load or store ("load" or "store") by the lanes of `mask`."""
        counts = self._lines[line]
        counts[f"shared_{kind}s"] += mask.count
        counts[f"shared_{kind}_requests"] += _warps(geometry, mask)

    def result(self) -> Counters:
        lines = {
            line: {name: counts[name] for name in COUNTERS if counts.get(name)}
            for line, counts in sorted(self._lines.items())
        }
        lines = {line: counts for line, counts in lines.items() if counts}
        totals = {name: sum(counts.get(name, 0) for counts in lines.values()) for name in COUNTERS}
        return Counters(totals, lines)


def warp_table(geometry: Geometry, values: npt.NDArray[Any], idle: int, mask: Mask) -> npt.NDArray[Any]:
    """`values` [lanes] as [warps, 32], with `idle` where no active lane is."""
    bits = mask.bits
    if geometry.warp_rows * WARP == geometry.count and bits is None:
        return values.reshape(-1, WARP)
    table = np.full(geometry.warp_rows * WARP, idle, values.dtype)
    if bits is None:
        table[geometry.warp_row] = values
    else:
        table[geometry.warp_row[bits]] = values[bits]
    return table.reshape(-1, WARP)


def _warps(geometry: Geometry, mask: Mask) -> int:
    """How many warps have a lane in `mask`."""
    bits = mask.bits
    if bits is None:
        return geometry.warp_rows
    if geometry.warp_rows * WARP == geometry.count:
        return int(np.count_nonzero(bits.reshape(-1, WARP).any(axis=1)))
    return len(np.unique(geometry.warp_row[bits] // WARP))


def _requests_and_sectors(geometry: Geometry, view: ArrayView, offsets: Any, mask: Mask) -> tuple[int, int]:
    if not isinstance(offsets, np.ndarray):
        active = warp_table(geometry, np.ones(geometry.count, np.int8), 0, mask)
        requests = int(np.count_nonzero(active.any(axis=1)))
        return requests, requests * max(1, view.memory.cells.itemsize // SECTOR)
    item = view.memory.cells.itemsize
    sector = (offsets * item + view.memory.first_byte) // SECTOR if item < SECTOR else offsets
    table = warp_table(geometry, sector, -1, mask)
    steps = np.diff(table, axis=1)
    if (steps < 0).any():
        table = np.sort(table, axis=1)
        steps = np.diff(table, axis=1)
    first = table[:, 0] >= 0
    sectors = int(np.count_nonzero((steps != 0) & (table[:, 1:] >= 0))) + int(np.count_nonzero(first))
    requests = int(np.count_nonzero(table[:, -1] >= 0))
    return requests, sectors
