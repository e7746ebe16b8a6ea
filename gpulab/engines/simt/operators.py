"""Arithmetic as Numba compiles it: operands cast to the signature's types, then one NumPy call.

Only typed scalars and arrays come here. Wrap-around, Python floor division and modulo, and float rules are the
signature's types' own.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

Value = Any


def cast(value: Value, dtype: np.dtype[Any]) -> Value:
    """To another type; float to integer truncates and, out of range, saturates as the GPU does."""
    if value.dtype == dtype:
        return value
    if dtype.kind in "iu" and value.dtype.kind == "f":
        return _float_to_int(value, dtype)
    if dtype.kind != "c" and value.dtype.kind == "c":
        value = value.real
    if isinstance(value, np.ndarray):
        return value.astype(dtype)
    return value.astype(dtype) if dtype.kind != "b" else np.bool_(value)


def _float_to_int(value: Value, dtype: np.dtype[Any]) -> Value:
    limits = np.iinfo(dtype)
    wide = np.trunc(value)
    inside = (wide >= float(limits.min)) & (wide < float(limits.max))
    if np.all(inside):
        return value.astype(dtype)
    safe = np.where(inside, wide, 0).astype(dtype)
    high = dtype.type(limits.max)
    low = dtype.type(limits.min)
    result = np.where(inside, safe, np.where(np.isnan(value), dtype.type(0), np.where(wide > 0, high, low)))
    return result if isinstance(value, np.ndarray) else result[()]


def floor_divide(a: Value, b: Value) -> Value:
    """`//`; an integer divided by zero gives 0, as Numba's CUDA target compiles it."""
    if a.dtype.kind == "f":
        return np.floor_divide(a, b)
    return np.where(b == 0, a.dtype.type(0), np.floor_divide(a, np.where(b == 0, b.dtype.type(1), b)))[()]


def remainder(a: Value, b: Value) -> Value:
    """`%` with Python's sign rule; an integer modulo zero gives 0."""
    if a.dtype.kind == "f":
        return np.remainder(a, b)
    return np.where(b == 0, a.dtype.type(0), np.remainder(a, np.where(b == 0, b.dtype.type(1), b)))[()]


def power(a: Value, b: Value) -> Value:
    """`**`: integers by repeated squaring with wrap-around; a negative integer exponent gives 0, 1 or -1."""
    if a.dtype.kind not in "iu":
        return np.power(a, b)
    negative = b < 0
    if not np.any(negative):
        return np.power(a, b)
    base = np.power(a, np.where(negative, b.dtype.type(0), b))
    parity = np.where((b & 1) == 0, np.abs(a), a)
    inverse = np.where(np.abs(a) == 1, parity, a.dtype.type(0))
    return np.where(negative, inverse, base)[()]


def shift_left(a: Value, b: Value) -> Value:
    return np.left_shift(a, b)


def shift_right(a: Value, b: Value) -> Value:
    return np.right_shift(a, b)


BINARY: dict[Any, Callable[[Value, Value], Value]] = {
    operator.add: np.add,
    operator.sub: np.subtract,
    operator.mul: np.multiply,
    operator.truediv: np.true_divide,
    operator.floordiv: floor_divide,
    operator.mod: remainder,
    operator.pow: power,
    operator.and_: np.bitwise_and,
    operator.or_: np.bitwise_or,
    operator.xor: np.bitwise_xor,
    operator.lshift: shift_left,
    operator.rshift: shift_right,
    operator.lt: np.less,
    operator.le: np.less_equal,
    operator.gt: np.greater,
    operator.ge: np.greater_equal,
    operator.eq: np.equal,
    operator.ne: np.not_equal,
}
"""Operator -> function of two values of the types to compute in."""

IN_RESULT_TYPE = {
    operator.add,
    operator.sub,
    operator.mul,
    operator.truediv,
    operator.floordiv,
    operator.mod,
    operator.pow,
    operator.and_,
    operator.or_,
    operator.xor,
    operator.lshift,
    operator.rshift,
}
"""Operators computed in the type of their result (comparisons are computed in their operands' types)."""

UNARY: dict[Any, Callable[[Value], Value]] = {
    operator.neg: np.negative,
    operator.pos: np.positive,
    operator.invert: np.invert,
    operator.not_: np.logical_not,
}


def lesser(a: Value, b: Value) -> Value:
    """`min` of two: the first unless the second is smaller, as Numba compiles it for integers; NaN is ignored
    for floats."""
    return np.fmin(a, b) if a.dtype.kind == "f" else np.minimum(a, b)


def greater(a: Value, b: Value) -> Value:
    return np.fmax(a, b) if a.dtype.kind == "f" else np.maximum(a, b)


def popc(x: Value) -> Value:
    return np.bitwise_count(_unsigned(x))


def _unsigned(x: Value) -> Value:
    return x.view(f"u{x.dtype.itemsize}") if x.dtype.kind == "i" else x


def clz(x: Value) -> Value:
    """Leading zero bits of a 32- or 64-bit integer."""
    bits = x.dtype.itemsize * 8
    value = _unsigned(x)
    for shift in (1, 2, 4, 8, 16, 32)[: 5 if bits == 32 else 6]:
        value = value | (value >> value.dtype.type(shift))
    return bits - np.bitwise_count(value).astype(np.int32)


def ffs(x: Value) -> Value:
    """1 + position of the least significant set bit, 0 for 0."""
    value = _unsigned(x)
    lowest = value & (~value + value.dtype.type(1))
    return np.where(value == 0, 0, x.dtype.itemsize * 8 - clz(lowest)).astype(np.int32)[()]


def brev(x: Value) -> Value:
    """The bits in reverse order."""
    value, bits = _unsigned(x), x.dtype.itemsize * 8
    result = np.zeros_like(value)
    for _ in range(bits):
        result = (result << value.dtype.type(1)) | (value & value.dtype.type(1))
        value = value >> value.dtype.type(1)
    return result.view(x.dtype) if isinstance(result, np.ndarray) else result.astype(x.dtype)


def round_half_even(x: Value) -> Value:
    return np.rint(x)


def _vectorised(function: Callable[..., float]) -> Callable[..., Value]:
    """A `math` function NumPy lacks, lane by lane."""

    def lane_by_lane(*values: Value) -> Value:
        kind = values[0].dtype
        result = np.vectorize(_quiet(function), otypes=[np.float64])(*values)
        return result.astype(kind) if isinstance(result, np.ndarray) and result.ndim else kind.type(result)

    return lane_by_lane


def _quiet(function: Callable[..., float]) -> Callable[..., float]:
    def safe(*values: float) -> float:
        try:
            return function(*values)
        except OverflowError:
            return math.inf
        except ValueError:
            return math.nan

    return safe


MATH: dict[Any, Callable[..., Value]] = {
    math.sqrt: np.sqrt,
    math.exp: np.exp,
    math.expm1: np.expm1,
    math.log: np.log,
    math.log2: np.log2,
    math.log10: np.log10,
    math.log1p: np.log1p,
    math.sin: np.sin,
    math.cos: np.cos,
    math.tan: np.tan,
    math.asin: np.arcsin,
    math.acos: np.arccos,
    math.atan: np.arctan,
    math.atan2: np.arctan2,
    math.sinh: np.sinh,
    math.cosh: np.cosh,
    math.tanh: np.tanh,
    math.asinh: np.arcsinh,
    math.acosh: np.arccosh,
    math.atanh: np.arctanh,
    math.floor: np.floor,
    math.ceil: np.ceil,
    math.trunc: np.trunc,
    math.fabs: np.abs,
    math.copysign: np.copysign,
    math.fmod: np.fmod,
    math.hypot: np.hypot,
    math.pow: np.power,
    math.radians: np.radians,
    math.degrees: np.degrees,
    math.isnan: np.isnan,
    math.isinf: np.isinf,
    math.isfinite: np.isfinite,
    math.erf: _vectorised(math.erf),
    math.erfc: _vectorised(math.erfc),
    math.gamma: _vectorised(math.gamma),
    math.lgamma: _vectorised(math.lgamma),
    math.ldexp: np.ldexp,
}
if hasattr(math, "exp2"):
    MATH[math.exp2] = np.exp2
if hasattr(math, "cbrt"):
    MATH[math.cbrt] = np.cbrt
