"""Arrays with a guard band on both sides, laid out in memory exactly as the puzzle's author made them.

An array travels as the bytes it lies in and a description of the view, since pickle would turn every
strided view into a contiguous one. Whoever runs the kernel rebuilds the view with `Placed.view()`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.lib.array_utils import byte_bounds

from gpulab.catalog.bfloat16 import is_bfloat16
from gpulab.judge import poison

Array = npt.NDArray[Any]
Bytes = npt.NDArray[np.uint8]

GUARD = 128
"""Bytes before and after each array: four sectors, so that the view stays aligned as cudaMalloc aligns it."""

_PATTERN = np.frombuffer(bytes((37 * n + 11) % 251 for n in range(GUARD)), np.uint8)


@dataclass(frozen=True)
class Placed:
    """An array within its memory: `memory` is [bytes] uint8, the rest describes the view as NumPy does (bytes)."""

    memory: Bytes
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    strides: tuple[int, ...]
    offset: int

    def view(self) -> Array:
        """The array itself; it shares `memory`."""
        return np.ndarray(self.shape, self.dtype, self.memory.data, self.offset, self.strides)

    def values(self) -> Array:
        """The array as numbers: bfloat16 as float32, with its poison as float32's, all else as it is."""
        view = self.view()
        return poison.widened(view) if is_bfloat16(view.dtype) else view

    def copy(self) -> Placed:
        """The same array in memory of its own."""
        return replace(self, memory=self.memory.copy())

    def outside_changed(self, before: Placed) -> bool:
        """Whether a byte that belongs to no element differs from `before`."""
        differs = self.memory != before.memory
        if not differs.any():
            return False
        return bool((differs & (_mark_elements(self) == 0)).any())


def place(array: Array) -> Placed:
    """`array` copied into memory of its own with guard bands; its strides, gaps included, are kept."""
    low, high = byte_bounds(array) if array.size else (0, 0)
    start = array.__array_interface__["data"][0]
    memory = _guarded(high - low)
    placed = Placed(memory, array.shape, array.dtype, array.strides, GUARD + (start - low if array.size else 0))
    placed.view()[...] = array
    return placed


def place_empty(shape: tuple[int, ...], dtype: np.dtype[Any], order: str = "C") -> Placed:
    """Memory for an output of this shape, C or Fortran contiguous, filled with nothing in particular."""
    bytes_needed = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    strides = _contiguous_strides(shape, dtype.itemsize, order)
    return Placed(_guarded(bytes_needed), shape, dtype, strides, GUARD)


def _guarded(inside: int) -> Bytes:
    """Guard bands around `inside` bytes; gaps between strided elements hold the pattern too."""
    total = GUARD + -(-inside // GUARD) * GUARD + GUARD
    return np.tile(_PATTERN, total // GUARD)


def _contiguous_strides(shape: tuple[int, ...], itemsize: int, order: str) -> tuple[int, ...]:
    axes = range(len(shape)) if order == "F" else range(len(shape) - 1, -1, -1)
    strides = [0] * len(shape)
    step = itemsize
    for axis in axes:
        strides[axis] = step
        step *= max(1, shape[axis])
    return tuple(strides)


def _mark_elements(placed: Placed) -> Bytes:
    """1 for each byte that belongs to an element."""
    inside = np.zeros(placed.memory.shape, np.uint8)
    one = np.dtype((np.void, placed.dtype.itemsize))
    mask = np.ndarray(placed.shape, one, inside.data, placed.offset, placed.strides)
    mask[...] = np.void(b"\x01" * placed.dtype.itemsize)
    return inside
