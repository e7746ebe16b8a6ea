"""What orders the accesses of one launch: barriers, syncs of warps, fences and atomics."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gpulab.engines.simt.lane_clocks import LaneClocks
from gpulab.engines.simt.lanes import WARP

Ints = npt.NDArray[np.int64]


class Clocks:
    """When each block passed its last barrier, each warp its last sync, and what each block has acquired of others."""

    def __init__(self, blocks: int, warps_per_block: int, threads: int, parts_warps: bool = False) -> None:
        self.threads = threads
        self.warps_per_block = warps_per_block
        self.now = 0
        self.lines: list[int] = [0]
        self.barrier = np.zeros(blocks, np.int64)
        self.everyones_barrier = 0
        """Time before which nothing in the running blocks can conflict inside a block."""
        self.warp_sync: Ints | None = None
        self.lanes = LaneClocks(blocks * warps_per_block) if parts_warps else None
        """What syncs of parts of warps order; None where the kernel has none."""
        self.fence: Ints | None = None
        self.acquired: Ints | None = None
        self.released: dict[tuple[int, int], Ints] = {}

    def tick(self, line: int) -> int:
        self.now += 1
        self.lines.append(line)
        return self.now

    def start_batch(self) -> None:
        self.everyones_barrier = self.now
        if self.lanes is not None:
            self.lanes.forget()

    def barrier_passed(self, blocks: Ints, everyone: bool) -> None:
        self.barrier[blocks] = self.now
        if everyone:
            self.everyones_barrier = self.now

    def warps_synced(self, warps: Ints) -> None:
        if self.warp_sync is None:
            self.warp_sync = np.zeros(len(self.barrier) * self.warps_per_block, np.int64)
        self.warp_sync[warps] = self.now

    def fenced(self, blocks: Ints) -> None:
        """`threadfence` by these blocks: what they did so far may be released by a later atomic."""
        if self.fence is None:
            count = len(self.barrier)
            self.fence = np.zeros(count, np.int64)
            self.acquired = np.zeros((count, count), np.int64) if count <= 2048 else None
        self.fence[blocks] = self.now

    def atomic_on(self, memory: int, cell: int, block: int) -> None:
        """An atomic of `block`: acquires what earlier atomics on the cell released, and releases what the
        block fenced."""
        if self.fence is None or self.acquired is None:
            return
        published = self.released.get((memory, cell))
        if published is not None:
            np.maximum(self.acquired[block], published, out=self.acquired[block])
        mine = self.acquired[block].copy()
        mine[block] = self.fence[block]
        self.released[(memory, cell)] = mine if published is None else np.maximum(mine, published)

    def grid_synced(self) -> None:
        """A grid-wide barrier orders everything before it."""
        self.barrier[:] = self.now
        self.everyones_barrier = self.now
        self.fenced(np.arange(len(self.barrier)))
        if self.acquired is not None:
            self.acquired[:] = self.now

    def unordered(self, earlier_lane: Ints, earlier_time: Ints, lane: Ints) -> npt.NDArray[np.bool_]:
        """Which earlier accesses nothing orders before what `lane` does now. All arrays are [suspects]."""
        block, earlier_block = lane // self.threads, earlier_lane // self.threads
        same = block == earlier_block
        inside = same & (earlier_time > self.barrier[block])
        if (self.warp_sync is not None or self.lanes is not None) and inside.any():
            inside &= ~self._ordered_in_warp(earlier_lane, earlier_time, lane)
        across = ~same
        if self.acquired is not None and across.any():
            across &= earlier_time > self.acquired[block, earlier_block]
        result: npt.NDArray[np.bool_] = (earlier_time > 0) & (earlier_lane != lane) & (inside | across)
        return result

    def _ordered_in_warp(self, earlier_lane: Ints, earlier_time: Ints, lane: Ints) -> npt.NDArray[np.bool_]:
        """Of accesses in one block: which are in one warp, and a `syncwarp` of its lanes came between."""
        thread, earlier = lane % self.threads, earlier_lane % self.threads
        warp = lane // self.threads * self.warps_per_block + thread // WARP
        ordered = np.zeros(len(lane), np.bool_)
        if self.warp_sync is not None:
            ordered = earlier_time <= self.warp_sync[warp]
        if self.lanes is not None:
            ordered = ordered | self.lanes.order(warp, thread % WARP, earlier % WARP, earlier_time)
        result: npt.NDArray[np.bool_] = (thread // WARP == earlier // WARP) & ordered
        return result
