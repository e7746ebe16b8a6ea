"""Which thread of which block a lane is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from gpulab.engines.simt.lanes import WARP, Index3
from gpulab.trace import Coordinates


def extent(value: object) -> Coordinates:
    """A launch extent as (x, y, z): an int or a tuple of one to three ints."""
    values = tuple(value) if isinstance(value, (tuple, list)) else (value,)
    if not 1 <= len(values) <= 3:
        raise ValueError(f"a launch has one to three dimensions, not {len(values)}")
    numbers = [int(v) for v in values]
    if any(number < 1 for number in numbers):
        raise ValueError(f"every dimension of a launch must be at least 1, not {tuple(numbers)}")
    x, y, z = ([*numbers, 1, 1])[:3]
    return x, y, z


def coordinates(linear: int, size: Coordinates) -> Coordinates:
    """(x, y, z) of a linear number; x runs fastest (CUDA C++ Programming Guide, "Thread Hierarchy")."""
    x, y, _ = size
    return linear % x, linear // x % y, linear // (x * y)


@dataclass(frozen=True)
class Geometry:
    """A launch and the lanes of it that run together: whole blocks, a warp or a single thread.

    `lane` is a lane's number in the whole grid: block * threads per block + thread.
    """

    grid: Coordinates
    block: Coordinates
    lane: npt.NDArray[np.int64]
    """[lanes] ascending within each block."""
    blocks: npt.NDArray[np.int64]
    """The linear numbers of the blocks in this batch, in the order they run."""
    whole_blocks: bool = True

    @property
    def count(self) -> int:
        return len(self.lane)

    @cached_property
    def threads(self) -> int:
        return self.block[0] * self.block[1] * self.block[2]

    @cached_property
    def warps_per_block(self) -> int:
        return -(-self.threads // WARP)

    @cached_property
    def block_of(self) -> npt.NDArray[np.int64]:
        """[lanes] linear block number."""
        return self.lane // self.threads

    @cached_property
    def slot_of(self) -> npt.NDArray[np.int64]:
        """[lanes] position of the lane's block within this batch."""
        if self.whole_blocks:
            return np.repeat(np.arange(len(self.blocks)), self.threads)
        return np.searchsorted(self.blocks, self.block_of)

    @cached_property
    def thread_of(self) -> npt.NDArray[np.int64]:
        """[lanes] linear thread number within the block."""
        return self.lane % self.threads

    @cached_property
    def warp_of(self) -> npt.NDArray[np.int64]:
        """[lanes] number of the warp in the whole grid."""
        return self.block_of * self.warps_per_block + self.thread_of // WARP

    @cached_property
    def warp_row(self) -> npt.NDArray[np.int64]:
        """[lanes] cell of the lane in a table of 32 columns with one row per warp of this batch."""
        if self.whole_blocks and self.threads % WARP == 0:
            return np.arange(self.count)
        warps = self.warp_of
        starts = np.concatenate(([True], warps[1:] != warps[:-1]))
        return (np.cumsum(starts) - 1) * WARP + self.thread_of % WARP

    @cached_property
    def warp_rows(self) -> int:
        return int(self.warp_row[-1]) // WARP + 1

    @cached_property
    def lane_id(self) -> npt.NDArray[np.int32]:
        """[lanes] 0 to 31 within the warp."""
        return (self.thread_of % WARP).astype(np.int32)

    @cached_property
    def thread_index(self) -> Index3:
        return _split(self.thread_of, self.block)

    @cached_property
    def block_index(self) -> Index3:
        return _split(self.block_of, self.grid)

    @cached_property
    def block_size(self) -> Index3:
        return Index3(*(np.int32(size) for size in self.block))

    @cached_property
    def grid_size(self) -> Index3:
        return Index3(*(np.int32(size) for size in self.grid))

    def grid_position(self, axis: int) -> npt.NDArray[np.int64] | np.int64:
        """[lanes] absolute thread number along an axis, as `cuda.grid` gives it; one number where all have the same."""
        name = "xyz"[axis]
        block, thread = getattr(self.block_index, name), getattr(self.thread_index, name)
        position: npt.NDArray[np.int64] | np.int64 = np.int64(self.block[axis]) * block + thread
        return position

    def site(self, lane: int) -> tuple[Coordinates, Coordinates]:
        """Block and thread coordinates of a lane of the grid."""
        return coordinates(lane // self.threads, self.grid), coordinates(lane % self.threads, self.block)


def _split(linear: npt.NDArray[np.int64], size: Coordinates) -> Index3:
    x, y, z = size
    zero = np.int32(0)
    return Index3(
        (linear if y * z == 1 else linear % x).astype(np.int32),
        zero if y == 1 else (linear // x % y).astype(np.int32),
        zero if z == 1 else (linear // (x * y)).astype(np.int32),
    )
