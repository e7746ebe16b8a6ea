"""Element types by Triton's names, held so that each operation gives what a GPU gives.

NumPy has no bfloat16: such values are held as float32 that a bfloat16 can hold, rounded to nearest even after each
operation, and are 16 bits only in memory. (An operation of two bfloat16 in float32, rounded once more, is the one
correctly rounded: float32 has more than twice the digits, plus two.)
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from gpulab.catalog.bfloat16 import is_bfloat16

Values = npt.NDArray[Any]

HELD: dict[str, np.dtype[Any]] = {
    "int1": np.dtype(bool), "bf16": np.dtype(np.float32), "fp16": np.dtype(np.float16), "fp32": np.dtype(np.float32),
    "fp64": np.dtype(np.float64), **{f"{sign}int{bits}": np.dtype(f"{sign}int{bits}") for sign in ("", "u")
                                     for bits in (8, 16, 32, 64)}}
"""What values of a type are while a kernel computes with them."""

STORED: dict[str, np.dtype[Any]] = {**HELD, "bf16": np.dtype(np.uint16)}
"""What they are in memory."""

BY_DTYPE = {"bool": "int1", "float16": "fp16", "float32": "fp32", "float64": "fp64", **{
    name: name for name in HELD if "int" in name and name != "int1"}}
"""The types that NumPy has."""


def kind_of(dtype: np.dtype[Any]) -> str:
    """The type of a NumPy array's elements, by Triton's name. Raises `KeyError` for what Triton has not."""
    return "bf16" if is_bfloat16(dtype) else BY_DTYPE[dtype.name]


def is_float(kind: str) -> bool:
    """Whether the type of this name is a floating one."""
    return kind in ("bf16", "fp16", "fp32", "fp64")


def bfloat16(values: Values) -> Values:
    """float32 rounded to what a bfloat16 can hold, to nearest even; NaN stays NaN, quiet and with its payload's top."""
    values = np.ascontiguousarray(values, np.float32)
    bits = values.view(np.uint32)
    rounded = (bits + (np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1)))) & np.uint32(0xFFFF0000)
    nans = np.isnan(values)
    if nans.any():
        rounded = np.where(nans, (bits | np.uint32(0x400000)) & np.uint32(0xFFFF0000), rounded)
    return rounded.view(np.float32)


def tf32(values: Values) -> Values:
    """float32 as a tensor core takes it for TF32: the low 13 bits are not looked at."""
    bits = np.ascontiguousarray(values, np.float32).view(np.uint32)
    return (bits & np.uint32(0xFFFFE000)).view(np.float32)


def settle(values: Values, kind: str) -> Values:
    """The result of an operation as a value of this type."""
    if kind == "bf16":
        return bfloat16(values)
    held = HELD[kind]
    return values if values.dtype == held else values.astype(held)


def convert(values: Values, source: str, target: str) -> Values:
    """A cast. Floats go to integers toward zero and stop at the ends of the range, NaN becomes 0, as on a GPU."""
    if is_float(source) and not is_float(target):
        return _to_integer(values, HELD[target])
    if target == "bf16":
        return bfloat16(values.astype(np.float32))
    return values.astype(HELD[target], copy=False)


def _to_integer(values: Values, target: np.dtype[Any]) -> Values:
    if target == np.dtype(bool):
        return np.asarray(values != 0)
    wide = np.trunc(values.astype(np.float64))
    ends = np.iinfo(target)
    inside = (wide >= ends.min) & (wide <= ends.max)
    whole = np.where(inside, wide, 0).astype(target)
    high = np.where(wide > ends.max, np.array(ends.max, target), whole)
    return np.where(wide < ends.min, np.array(ends.min, target), high)


def bits_of(values: Values, kind: str) -> Values:
    """The values as they are in memory."""
    if kind == "bf16":
        return (np.ascontiguousarray(values, np.float32).view(np.uint32) >> np.uint32(16)).astype(np.uint16)
    return values.astype(STORED[kind], copy=False)


def from_bits(stored: Values, kind: str) -> Values:
    """Values that lay in memory."""
    if kind == "bf16":
        return (stored.astype(np.uint32) << np.uint32(16)).view(np.float32)
    return stored


def reinterpret(values: Values, source: str, target: str) -> Values:
    """The same bits as another type of the same size."""
    return from_bits(np.ascontiguousarray(bits_of(values, source)).view(STORED[target]), target)
