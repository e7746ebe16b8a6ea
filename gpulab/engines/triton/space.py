"""The tensors of a launch, each at an address that tells which it is: so every pointer remembers where it came from.

Tensor k begins at k * 2**44 + 2**43, and keeps the low 12 bits of its real address, on which alignment and sectors
depend. Pointer arithmetic of any kind then stays within the tensor's own 2**44 bytes, however far out of bounds.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from gpulab.engines.triton.numbers import STORED

Array = npt.NDArray[Any]
Positions = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

TAG = 44
_HALF = 1 << (TAG - 1)
_LOW = 0xFFF


@dataclass(eq=False)
class Tensor:
    """One tensor argument: `kind` is Triton's name of its element type, strides count bytes, `address` is real.

    Positions count bytes from the tensor's element [0, 0, ...].
    """

    number: int
    name: str
    kind: str
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    address: int
    keep: Any = None
    """Whatever owns the memory."""

    def __post_init__(self) -> None:
        self.itemsize = STORED[self.kind].itemsize
        self.size = int(np.prod(self.shape, dtype=np.int64))
        reach = [(extent - 1) * stride for extent, stride in zip(self.shape, self.strides, strict=True)]
        self.low = sum(step for step in reach if step < 0) if self.size else 0
        self.high = sum(step for step in reach if step > 0) + self.itemsize if self.size else 0
        self.base = (self.number << TAG) + _HALF + (self.address & _LOW)
        self.contiguous = self._is_contiguous()
        span = self.high - self.low
        self.memory: Array = np.zeros(0, np.uint8)
        if span:
            memory: Any = (ctypes.c_uint8 * span).from_address(self.address + self.low)
            self.memory = np.frombuffer(memory, np.uint8)
        self._views: dict[str, Array] = {}

    def _is_contiguous(self) -> bool:
        step = self.itemsize
        for extent, stride in zip(reversed(self.shape), reversed(self.strides), strict=True):
            if extent != 1 and stride != step:
                return False
            step *= extent
        return True

    def view(self, kind: str) -> Array:
        """The memory as elements of this type, from the lowest one on."""
        if kind not in self._views:
            size = STORED[kind].itemsize
            self._views[kind] = self.memory[: len(self.memory) // size * size].view(STORED[kind])
        return self._views[kind]

    @property
    def slots(self) -> int:
        """Places for an element between the lowest and the highest one, gaps included."""
        return len(self.memory) // self.itemsize

    @cached_property
    def _owners(self) -> Positions:
        """Slot -> flat index of the element there, -1 for a gap; for tensors with gaps, or axes in another order."""
        owners = np.full(self.slots, -1, np.int64)
        places = np.zeros(self.shape, np.int64)
        for axis, (extent, stride) in enumerate(zip(self.shape, self.strides, strict=True)):
            steps = np.arange(extent, dtype=np.int64) * stride
            places += steps.reshape([-1 if axis == at else 1 for at in range(len(self.shape))])
        owners[(places.reshape(-1) - self.low) // self.itemsize] = np.arange(self.size)
        return owners

    def inside(self, positions: Positions, size: int) -> Mask:
        """Where `size` bytes at these positions are an element's (or part of one, or several)."""
        near = np.asarray((positions >= self.low) & (positions + size <= self.high))
        if size > 1 and (positions % size).any():
            near &= positions % size == 0
        if self.contiguous or not near.any():
            return near
        slots = np.clip((positions - self.low) // self.itemsize, 0, self.slots - 1)
        return near & (self._owners[slots] >= 0)

    def index(self, position: int) -> tuple[int, ...]:
        """The index that a position stands for, inside or not: of a tensor of several axes, row-wise beyond its end."""
        step, element = position // self.itemsize, []
        if self.contiguous or not self.low <= position < self.high:
            for extent in reversed(self.shape[1:]):
                element.append(step % max(1, extent))
                step //= max(1, extent)
            return (step, *reversed(element)) if self.shape else ()
        owner = int(self._owners[(position - self.low) // self.itemsize])
        return tuple(int(at) for at in np.unravel_index(max(0, owner), self.shape))


class Space:
    """All tensors of a launch."""

    def __init__(self) -> None:
        self.tensors: list[Tensor] = []

    def add(self, name: str, kind: str, shape: tuple[int, ...], strides: tuple[int, ...], address: int,
            keep: Any = None) -> Tensor:
        """Give a tensor its address."""
        tensor = Tensor(len(self.tensors) + 1, name, kind, shape, strides, address, keep)
        self.tensors.append(tensor)
        return tensor

    def at(self, address: int) -> Tensor | None:
        """The tensor that an address was computed from; None for a number that never was an address."""
        number = address >> TAG
        return self.tensors[number - 1] if 0 < number <= len(self.tensors) else None

    def contents(self) -> list[Array]:
        """Copies of all memory."""
        return [tensor.memory.copy() for tensor in self.tensors]

    def restore(self, contents: list[Array]) -> None:
        """Put such copies back."""
        for tensor, memory in zip(self.tensors, contents, strict=True):
            tensor.memory[...] = memory
