"""What a `syncwarp` that names a part of the warp orders: a vector clock for each lane.

Only a kernel with such a mask has them (`LaneProgram.parts_warps`); for all others a time per warp says it all.
Shuffles, votes and matches order nothing (CUDA C++ Programming Guide, "Warp Shuffle Functions": they do not imply a
memory barrier).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gpulab.engines.simt.lanes import WARP

Ints = npt.NDArray[np.int64]


class LaneClocks:
    """`_seen[row, lane, other]`: up to when what `other` did is ordered before what `lane` does next.

    A row belongs to a warp that has made one; rows are forgotten when another batch of blocks begins.
    """

    def __init__(self, warps: int) -> None:
        self._row_of = np.full(warps, -1, np.int64)
        self._seen = np.zeros((0, WARP, WARP), np.int64)

    def forget(self) -> None:
        self._row_of[:] = -1
        self._seen = self._seen[:0]

    def synced(self, warps: Ints, named: npt.NDArray[np.uint32], now: int) -> None:
        """The lanes of each of `warps` meet those they name: [warps, 32] masks, 0 for a lane that does not call."""
        rows = self._rows(warps)
        for mask in np.unique(named[named != 0]):
            meeting = rows[(named == mask).any(axis=1)]
            members = np.flatnonzero(int(mask) >> np.arange(WARP) & 1)
            known = self._seen[meeting[:, None], members].max(axis=1)
            known[:, members] = now
            self._seen[meeting[:, None], members] = known[:, None, :]

    def _rows(self, warps: Ints) -> Ints:
        new = warps[self._row_of[warps] < 0]
        if len(new):
            self._row_of[new] = len(self._seen) + np.arange(len(new))
            self._seen = np.concatenate((self._seen, np.zeros((len(new), WARP, WARP), np.int64)))
        rows: Ints = self._row_of[warps]
        return rows

    def order(self, warp: Ints, lane: Ints, earlier: Ints, time: Ints) -> npt.NDArray[np.bool_]:
        """Whether what lane `earlier` did at `time` is before what `lane` does now; all [suspects], lanes 0 to 31."""
        row = self._row_of[warp]
        if not len(self._seen):
            return np.zeros(len(warp), np.bool_)
        ordered: npt.NDArray[np.bool_] = (row >= 0) & (time <= self._seen[row, lane, earlier])
        return ordered
