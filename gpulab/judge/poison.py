"""What outputs hold before a run, so that an element nobody wrote is known exactly.

Two runs have two poisons: an element that holds the first after the one and the second after the other was
written by neither. Floats are poisoned with *signalling* NaNs: arithmetic turns them into quiet ones and keeps
the payload (IEEE 754-2019, 6.2.3), so a value computed from an unwritten element is told from one that
was never touched.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from gpulab.catalog import bfloat16

Array = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]

_FLOATS = {2: (0x7D5A, 0x7D2B), 4: (0x7FA5C31D, 0x7FB2D6E9), 8: (0x7FF4A5C31D5A96E3, 0x7FF6D2B9E7815A3C)}
_QUIET = {2: 1 << 9, 4: 1 << 22, 8: 1 << 51}
_SIGN = {2: 1 << 15, 4: 1 << 31, 8: 1 << 63}
_BFLOAT16 = (0x7FA5, 0x7FB2)
_BYTES = (0xA5, 0x5A)


def fill(array: Array, which: int) -> None:
    """Fill `array` with poison 0 or 1."""
    bits = _bits(array)
    bits[...] = _pattern(array.dtype, which)


def untouched(array: Array, which: int) -> Mask:
    """Where `array` still holds poison `which`, bit by bit."""
    return np.asarray(_bits(array) == _pattern(array.dtype, which))


def widened(array: Array) -> Array:
    """bfloat16 as float32: of poison, touched or not, float32's own, so that it is known by the same look."""
    wide, bits = bfloat16.widened(array), array.view(np.uint16)
    patterns = wide.view(np.uint32)
    for one, other in zip(_BFLOAT16, _FLOATS[4], strict=True):
        patterns[bits == one] = other
        patterns[bits & 0x7FFF == one | 0x40] = other | _QUIET[4]
    return wide


def derived(array: Array, which: int) -> Mask:
    """Where a float was computed from poison `which`; nowhere for other types, which two runs tell apart."""
    if array.dtype.kind != "f" or array.dtype.itemsize not in _FLOATS:
        return np.zeros(array.shape, bool)
    size = array.dtype.itemsize
    quiet = _pattern(array.dtype, which) | _QUIET[size]
    return np.asarray((_bits(array) & np.array(~_SIGN[size] & (2 ** (8 * size) - 1), f"u{size}")) == quiet)


def _bits(array: Array) -> Array:
    """The same memory as unsigned integers; complex numbers as pairs."""
    if array.dtype.kind == "c":
        array = array.view(f"f{array.dtype.itemsize // 2}") if array.ndim and array.strides[-1] else array
    return array.view(np.dtype(f"u{array.dtype.itemsize}"))


def _pattern(dtype: np.dtype[Any], which: int) -> Array:
    if bfloat16.is_bfloat16(dtype):
        return np.array(_BFLOAT16[which], np.uint16)
    size = dtype.itemsize // 2 if dtype.kind == "c" else dtype.itemsize
    if dtype.kind in "fc":
        return np.array(_FLOATS[size][which], f"u{size}")
    if dtype.kind == "b":
        return np.array(1 - which, np.uint8)
    return np.array(int.from_bytes(bytes([_BYTES[which]] * size), "little"), f"u{size}")
