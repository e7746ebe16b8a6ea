"""Memories and the views of them that a kernel indexes.

A `Memory` is one allocation as a flat array of cells: all arguments that overlap, one shared array for every
block of the batch, one
local array for every lane. An `ArrayView` is what Numba calls an array: a base, a shape and strides into a memory.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from gpulab.engines.simt.errors import Unsupported
from gpulab.engines.simt.lanes import UNDEFINED, Mask, merge

if TYPE_CHECKING:
    from gpulab.engines.simt.shadow import Shadow

Array = npt.NDArray[Any]


@dataclass(eq=False)
class Memory:
    """One allocation. `cells` is [cells] of one dtype; `per_instance` cells belong to each block (shared) or
    lane (local)."""

    name: str
    space: str
    cells: Array
    per_instance: int = 0
    first_byte: int = 0
    """Offset of cell 0 from the start of its allocation, which a GPU aligns to 256 bytes."""
    initialised: npt.NDArray[np.bool_] | None = None
    """[cells] whether anything was written; None where everything holds a value from the start."""
    shadow: Shadow | None = None
    """Who touched what, for races; None where no race is possible (nobody writes, or memory of one lane)."""
    keep_alive: Any = None

    def mark_initialised(self, offsets: Any) -> None:
        """Note a store; forget the bookkeeping once every cell is written."""
        if self.initialised is not None:
            self.initialised[offsets] = True
            if self.initialised.all():
                self.initialised = None


@dataclass(frozen=True)
class ArrayView:
    """An array as the kernel sees it. `base`, and for odd views shape and strides, may differ per lane.

    `base` and `strides` count cells. `slot` is where the block's or lane's own part of the memory starts.
    """

    memory: Memory
    base: Any
    shape: tuple[Any, ...]
    strides: tuple[int, ...]
    name: str
    slot: Any = 0

    @property
    def size(self) -> Any:
        size: Any = np.int64(1)
        for extent in self.shape:
            size = size * np.int64(extent)
        return size

    def merged(self, mask: Mask, other: Any) -> ArrayView:
        """This view for the lanes of `mask`, `other` for the rest."""
        if other is UNDEFINED or other is None:
            return self
        if other.memory is not self.memory or other.strides != self.strides:
            raise Unsupported(f"a variable that is one array in some threads and another in others ('{self.name}')")
        return ArrayView(
            self.memory,
            merge(
                mask,
                np.int64(self.base) if not isinstance(self.base, np.ndarray) else self.base,
                np.int64(other.base) if not isinstance(other.base, np.ndarray) else other.base,
            ),
            tuple(merge(mask, _int64(a), _int64(b)) for a, b in zip(self.shape, other.shape, strict=True)),
            self.strides,
            self.name,
            self.slot,
        )

    def index_of(self, offset: int, lane: int) -> tuple[int, ...]:
        """The index of a cell, C order of the view's axes by falling stride."""
        rest = int(offset) - int(at(self.base, lane))
        index = [0] * len(self.shape)
        for axis in sorted(range(len(self.shape)), key=lambda axis: -abs(self.strides[axis])):
            stride = self.strides[axis]
            if stride:
                index[axis] = rest // stride
                rest -= index[axis] * stride
        return tuple(index)


def at(value: Any, lane: int) -> Any:
    """The value of one lane of something uniform or per lane."""
    return value[lane] if isinstance(value, np.ndarray) else value


def _int64(value: Any) -> Any:
    return value if isinstance(value, np.ndarray) else np.int64(value)


def poison(count: int, dtype: np.dtype[Any]) -> Array:
    """Cells that hold what memory may hold before anybody writes: NaN for floats, 0xDB bytes else."""
    if dtype.kind in "fc":
        return np.full(count, np.nan, dtype)
    if dtype.kind == "b":
        return np.ones(count, dtype)
    return np.full(count * dtype.itemsize, 0xDB, np.uint8).view(dtype)


@dataclass
class _Group:
    """Arguments whose bytes overlap or that share an owner."""

    low: int
    high: int
    members: list[tuple[str, Array]] = field(default_factory=list)


def global_views(arrays: Iterable[tuple[str, Array]]) -> dict[str, ArrayView]:
    """Views of the launch's array arguments; arrays that overlap share one memory."""
    groups: list[_Group] = []
    for name, array in arrays:
        low, high = np.lib.array_utils.byte_bounds(array) if array.size else (array.ctypes.data, array.ctypes.data)
        new = _Group(low, high, [(name, array)])
        apart = []
        for group in groups:
            if group.low < new.high and new.low < group.high:
                new = _Group(min(group.low, new.low), max(group.high, new.high), group.members + new.members)
            else:
                apart.append(group)
        groups = [*apart, new]
    views: dict[str, ArrayView] = {}
    for group in groups:
        views.update(_views_of(group))
    return views


def _views_of(group: _Group) -> dict[str, ArrayView]:
    dtypes = {array.dtype for _, array in group.members}
    if len(dtypes) > 1:
        raise Unsupported("two arguments that share memory but differ in type")
    dtype = dtypes.pop()
    if dtype.kind not in "biufc":
        raise Unsupported(f"arrays of {dtype}")
    item = dtype.itemsize
    for name, array in group.members:
        if (array.ctypes.data - group.low) % item or any(stride % item for stride in array.strides):
            raise Unsupported(f"array '{name}', whose elements are not aligned to their size")
    count = (group.high - group.low) // item
    buffer: Any = (ctypes.c_char * (count * item)).from_address(group.low) if count else b""
    cells = np.frombuffer(buffer, dtype, count) if count else np.empty(0, dtype)
    owner = _owner(group.members[0][1])
    memory = Memory(
        "/".join(name for name, _ in group.members),
        "global",
        cells,
        first_byte=max(0, group.low - owner.ctypes.data),
        keep_alive=[a for _, a in group.members],
    )
    return {
        name: ArrayView(
            memory,
            (array.ctypes.data - group.low) // item,
            tuple(np.int64(extent) for extent in array.shape),
            tuple(stride // item for stride in array.strides),
            name,
        )
        for name, array in group.members
    }


def _owner(array: Array) -> Array:
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array
