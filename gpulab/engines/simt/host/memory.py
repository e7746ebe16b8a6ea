"""The memory of the simulated device: an address space of its own, over NumPy buffers.

Device addresses are not host addresses: a host program that follows one with ctypes segfaults, as it would with
a GPU. Fresh memory holds `POISON` and remembers which bytes nobody wrote.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt

Bytes = npt.NDArray[np.uint8]

POISON = 0xFFFB
"""What every two bytes of fresh device memory hold: NaN as float16, float32 and float64, -5 as int16."""

FIRST_ADDRESS = 1 << 49
"""Above what x86-64 and 64-bit Arm give to a process by default (2**47 and 2**48)."""

ALIGNMENT = 512
"""Of every allocation, as the driver's on an H200. (CUDA promises 256 bytes.)"""

CHUNK = 1 << 16
"""Bytes under one checksum: a single element written from the host costs one of these, 40 us."""


class OutOfMemory(Exception):
    """The simulated device has no room for an allocation."""


class IllegalAddress(Exception):
    """An address range that no allocation holds."""


@dataclass(eq=False)
class Allocation:
    """One block of device memory. `data` is the owning buffer of every array over it.

    `uninitialised` is True for each byte that nobody has written yet, or None when there is none left. `kind` is
    "device", "pinned", "mapped" or "managed"; all but the first live at their host address. `owned` is False where the
    memory is some host array's, which may be gone before this is: only a kernel that is given it looks at it.
    """

    address: int
    data: Bytes
    kind: str = "device"
    uninitialised: npt.NDArray[np.bool_] | None = None
    owned: bool = True
    _checksums: list[int] = field(default_factory=list)

    @property
    def end(self) -> int:
        return self.address + self.data.size

    def initialise(self, start: int, stop: int) -> None:
        """Bytes `start` to `stop` have been written."""
        if self.uninitialised is None:
            return
        self.uninitialised[start:stop] = False
        if not self.uninitialised.any():
            self.uninitialised = None

    def initialise_changed(self, before: Bytes) -> None:
        """Bytes that differ from `before` have been written, whoever did it."""
        if self.uninitialised is not None:
            self.uninitialised &= self.data == before
            self.initialise(0, 0)

    def mask(self, offset: int, shape: tuple[int, ...], strides: tuple[int, ...], itemsize: int,
             ) -> npt.NDArray[np.bool_]:
        """Which bytes of these elements nobody has written: [*shape, itemsize], a view."""
        if self.uninitialised is None:
            return np.zeros((*shape, itemsize), np.bool_)
        return np.ndarray((*shape, itemsize), np.bool_, buffer=self.uninitialised, offset=offset, strides=(*strides, 1))

    def seal(self, start: int = 0, stop: int | None = None) -> None:
        """Remember what bytes `start` to `stop` hold now, for `changes`."""
        if not self.owned:
            return
        stop = self.data.size if stop is None else stop
        if not self._checksums:
            self._checksums = [0] * -(-self.data.size // CHUNK)
            start, stop = 0, self.data.size
        for chunk in range(start // CHUNK, -(-stop // CHUNK)):
            self._checksums[chunk] = self._checksum(chunk)

    def changes(self) -> list[tuple[int, int]]:
        """Byte ranges (at most `CHUNK` wide) that differ from what was sealed, or else from the poison."""
        if not self.owned:
            return []
        if not self._checksums:
            return [] if _holds_poison(self.data) else [(0, self.data.size)]
        return [(chunk * CHUNK, min((chunk + 1) * CHUNK, self.data.size))
                for chunk, sealed in enumerate(self._checksums) if self._checksum(chunk) != sealed]

    def _checksum(self, chunk: int) -> int:
        return crc32(self.data[chunk * CHUNK:(chunk + 1) * CHUNK].data)

    def array(self, offset: int, shape: tuple[int, ...], strides: tuple[int, ...], dtype: np.dtype[Any],
              ) -> npt.NDArray[Any]:
        """An array over this memory; `strides` in bytes."""
        return np.ndarray(shape, dtype, buffer=self.data, offset=offset, strides=strides)


class DeviceMemory:
    """All allocations of a simulated device of `capacity` bytes, by address."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.used = 0
        self._next = FIRST_ADDRESS
        self._starts: list[int] = []
        self._allocations: dict[int, Allocation] = {}

    def __iter__(self) -> Iterator[Allocation]:
        return iter(list(self._allocations.values()))

    @property
    def free_bytes(self) -> int:
        return self.capacity - self.used

    def allocate(self, size: int) -> Allocation:
        """Poisoned memory at a device address. Raises `OutOfMemory`."""
        self._reserve(size)
        allocation = Allocation(self._next, _poisoned(size), "device", np.ones(size, np.bool_))
        self._next += -(-size // ALIGNMENT) * ALIGNMENT
        return self._add(allocation)

    def allocate_host(self, size: int, kind: str) -> Allocation:
        """Memory that host and device share: its address is the host's. Raises `OutOfMemory`."""
        self._reserve(size)
        data = _poisoned(size)
        return self._add(Allocation(data.ctypes.data, data, kind))

    def adopt(self, data: Bytes, kind: str) -> Allocation:
        """Let the device see host memory that somebody else owns, at its host address."""
        return self._add(Allocation(data.ctypes.data, data, kind, owned=False))

    def free(self, address: int) -> None:
        """Give an allocation back. Raises `IllegalAddress` if none starts there."""
        allocation = self._allocations.pop(address, None)
        if allocation is None:
            raise IllegalAddress(f"no allocation starts at {address:#x}")
        self._starts.remove(address)
        self.used -= allocation.data.size if allocation.owned else 0

    def clear(self) -> None:
        """Give everything back."""
        self._starts.clear()
        self._allocations.clear()
        self.used = 0

    def find(self, address: int, size: int = 0) -> tuple[Allocation, int]:
        """The allocation that holds `size` bytes at `address`, and the offset in it. Raises `IllegalAddress`."""
        position = bisect_right(self._starts, address) - 1
        allocation = self._allocations[self._starts[position]] if position >= 0 else None
        if allocation is None or address + size > allocation.end or address >= allocation.end:
            raise IllegalAddress(f"{size} bytes at {address:#x} are not in device memory")
        return allocation, address - allocation.address

    def _reserve(self, size: int) -> None:
        if size > self.free_bytes:
            raise OutOfMemory(f"{size} bytes asked for, {self.free_bytes} of {self.capacity} free")

    def _add(self, allocation: Allocation) -> Allocation:
        self._allocations[allocation.address] = allocation
        insort(self._starts, allocation.address)
        self.used += allocation.data.size if allocation.owned else 0
        return allocation


def _poisoned(size: int) -> Bytes:
    """`size` bytes of poison, aligned to 64 bytes so that any element type may sit at the start."""
    raw = np.empty(size + 64 + 1, np.uint8)
    start = -raw.ctypes.data % 64
    even = raw[start:start + size + size % 2]
    even.view("<u2")[:] = POISON
    return _owning(even[:size])


def _owning(view: Bytes) -> Bytes:
    """The same bytes as an array that every view of it names as its `base`."""
    return np.frombuffer(view.data, np.uint8)


def _holds_poison(data: Bytes) -> bool:
    pairs = data[:data.size // 2 * 2].view("<u2")
    return bool((pairs == POISON).all()) and (data.size % 2 == 0 or data[-1] == POISON & 0xFF)
