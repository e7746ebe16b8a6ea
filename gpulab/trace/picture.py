"""The picture of a small launch: every access of every warp, step by step, to be drawn and walked through."""

from __future__ import annotations

from dataclasses import dataclass

from gpulab.trace.coordinates import Coordinates
from gpulab.trace.values import Value

WARP = 32

STEP_KINDS = ("load", "store", "atomic")


@dataclass(frozen=True)
class PictureArray:
    """An array as the kernel knows it: a parameter, or one `cuda.shared.array` (`local`, `const`) of the source.

    A step's cells count elements of memory from the array's first one: cell `c` lies at byte
    `first_byte + c * itemsize` of its allocation, and element [i, j] is cell `i * strides[0] + j * strides[1]`.
    """

    name: str
    space: str
    """"global", "shared", "local" or "const"."""
    dtype: str
    itemsize: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    """In elements, not bytes."""
    first_byte: int = 0
    """Where the first element lies in its allocation, which begins at a multiple of 256 bytes."""

    def index(self, cell: int) -> tuple[int, ...]:
        """The index of a cell."""
        index = [0] * len(self.shape)
        for axis in sorted(range(len(self.shape)), key=lambda axis: -abs(self.strides[axis])):
            stride = self.strides[axis]
            if stride:
                index[axis] = cell // stride if stride > 0 else -(cell // -stride)
                cell -= index[axis] * stride
        return tuple(index)

    def cell(self, index: tuple[int, ...]) -> int:
        """The cell of an index."""
        return sum(place * stride for place, stride in zip(index, self.strides, strict=True))

    def byte(self, cell: int) -> int:
        """Where a cell begins in its allocation."""
        return self.first_byte + cell * self.itemsize


@dataclass(frozen=True)
class PictureStep:
    """One warp's execution of one load, store or atomic: what a GPU calls a request.

    `cells` and `values` have 32 entries, a lane each; None where the lane takes no part. Of a load `values` is what was
    read, of a store what was written, of an atomic what the cell held when all lanes were through.
    """

    line: int
    kind: str
    """One of `STEP_KINDS`."""
    array: int
    """Position in `Picture.arrays`."""
    interval: int
    """How many barriers the block had passed."""
    when: int
    """Steps of the whole launch by time: equal for the warps that ran in lockstep."""
    cells: tuple[int | None, ...]
    values: tuple[Value | None, ...]
    variables: tuple[tuple[str, int], ...] = ()
    """Variables in the index that all these lanes agree on: `k` = 3 in `tile[t, k]`."""
    outside: tuple[tuple[int, tuple[int, ...]], ...] = ()
    """(lane, index) of the lanes that asked for what is not in the array; they were not let through."""

    @property
    def lanes(self) -> list[int]:
        """The lanes that take part, outside ones left out."""
        return [lane for lane, cell in enumerate(self.cells) if cell is not None]


@dataclass(frozen=True, eq=False)  # compared by identity: what is computed of it is kept for the next drawing
class PictureWarp:
    """A warp and its steps in order. `block` is the block's number in the grid, `number` the warp's in its block."""

    block: int
    number: int
    threads: int
    """Lanes that exist: fewer than 32 in the last warp of a block whose size is no multiple of it."""
    steps: tuple[PictureStep, ...] = ()


@dataclass(frozen=True)
class PictureBarrier:
    """One barrier that a block has passed: `threads` waited for each other on `line`."""

    block: int
    line: int
    threads: int


@dataclass(frozen=True, eq=False)
class Picture:
    """Everything a small launch did to memory.

    Where the launch is not small, the first blocks are complete and the others left out.
    """

    blocks: Coordinates
    threads: Coordinates
    arrays: tuple[PictureArray, ...] = ()
    warps: tuple[PictureWarp, ...] = ()
    """By block, then by number; warps without a step included."""
    barriers: tuple[PictureBarrier, ...] = ()
    """By block, then in order."""
    left_out: int = 0
    """Blocks that are not in the picture."""

    def block_at(self, number: int) -> Coordinates:
        """(x, y, z) of a block."""
        return _split(number, self.blocks)

    def thread_at(self, warp: PictureWarp, lane: int) -> Coordinates:
        """(x, y, z) of a lane's thread in its block."""
        return _split(warp.number * WARP + lane, self.threads)

    def position_of(self, warp: PictureWarp, lane: int) -> Coordinates:
        """(x, y, z) of a lane's thread in the whole grid, as `cuda.grid` gives it."""
        block, thread = self.block_at(warp.block), self.thread_at(warp, lane)
        x, y, z = (b * size + t for b, size, t in zip(block, self.threads, thread, strict=True))
        return x, y, z

    @property
    def block_size(self) -> int:
        """Threads of a block."""
        return self.threads[0] * self.threads[1] * self.threads[2]

    @property
    def block_count(self) -> int:
        """Blocks of the launch, those left out included."""
        return self.blocks[0] * self.blocks[1] * self.blocks[2]

    @property
    def warps_per_block(self) -> int:
        return -(-self.block_size // WARP)


def _split(linear: int, size: Coordinates) -> Coordinates:
    x, y, _ = size
    return linear % x, linear // x % y, linear // (x * y)
