"""`math.*`, rounding and fused multiply-add, as Numba's CUDA target computes them.

Where the GPU's library rounds the last bit otherwise than NumPy (`exp`, `sin` and the like) the two may differ by it.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from typing import Any

import numpy as np

Value = Any
_TO_INT64 = 9223372036854775807.0


def _vectorised(function: Callable[..., float]) -> Callable[..., Value]:
    """A `math` function NumPy lacks, lane by lane."""

    def lane_by_lane(*values: Value) -> Value:
        kind = values[0].dtype if values[0].dtype.kind == "f" else np.dtype(np.float64)
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
            return _at_a_pole(function, values[0])

    return safe


def _at_a_pole(function: Callable[..., float], x: float) -> float:
    """What C's library gives where Python raises ValueError."""
    if function is math.lgamma and x == math.floor(x):
        return math.inf
    if function is math.gamma and x == 0:
        return math.copysign(math.inf, x)
    return math.nan


def nearest(x: Value) -> Value:
    """`round(x)`: a float64 that is whole, halves to even."""
    return np.rint(x)


def round_to(x: Value, digits: Value) -> Value:
    """`round(x, digits)`: CPython's fallback algorithm in float64, as numba-cuda compiles it."""
    power = np.power(10.0, np.abs(np.asarray(digits, np.float64)))
    wide = x.astype(np.float64)
    places = digits >= 0
    scaled = np.where(places, wide * power, wide / power)
    whole = np.clip(np.rint(scaled), -_TO_INT64, _TO_INT64) + 0.0  # the GPU rounds to an int64, which has no -0
    result = np.where(places, whole / power, whole * power)
    kept = ~np.isfinite(x) | (places & np.isinf(scaled))
    return np.where(kept, wide, result).astype(x.dtype)[()]


def fused_multiply_add(a: Value, b: Value, c: Value) -> Value:
    """`a * b + c` rounded once."""
    if a.dtype == np.float32:
        product = a.astype(np.float64) * b.astype(np.float64)  # exact: 24 + 24 bits
        return _rounded_to_odd(product, c.astype(np.float64)).astype(np.float32)
    product, lost = _product(a, b)
    upper, lower = _sum(c, lost)
    upper, rest = _sum(product, upper)
    exact = upper + _rounded_to_odd(rest, lower)
    return np.where(np.isfinite(exact), exact, a * b + c)[()]


def _sum(a: Value, b: Value) -> tuple[Value, Value]:
    """a + b and what rounding lost of it (Knuth's two-sum)."""
    total = a + b
    other = total - a
    return total, (a - (total - other)) + (b - other)


def _product(a: Value, b: Value) -> tuple[Value, Value]:
    """a * b and what rounding lost of it (Dekker's product, by halves of 26 bits)."""
    product = a * b
    (a1, a2), (b1, b2) = _halves(a), _halves(b)
    return product, ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2


def _halves(x: Value) -> tuple[Value, Value]:
    scaled = x * 134217729.0  # 2**27 + 1
    high = scaled - (scaled - x)
    return high, x - high


def _rounded_to_odd(a: Value, b: Value) -> Value:
    """a + b with an odd last bit unless exact: rounding it again is as good as rounding once (Boldo and Melquiond)."""
    total, lost = _sum(a, b)
    even = (np.asarray(total).view(np.int64) & 1) == 0
    toward = np.nextafter(total, np.where(lost > 0, np.inf, -np.inf))
    return np.where((lost != 0) & even & np.isfinite(total), toward, total)[()]


def frexp(x: Value) -> tuple[Value, Value]:
    mantissa, exponent = np.frexp(x)
    return mantissa, exponent


def modf(x: Value) -> tuple[Value, Value]:
    fraction, whole = np.modf(x)
    return fraction, whole


FUNCTIONS: dict[Any, Callable[..., Value]] = {
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
    math.fabs: np.fabs,
    math.copysign: np.copysign,
    math.fmod: np.fmod,
    math.hypot: np.hypot,
    math.pow: np.power,
    math.radians: np.radians,
    math.degrees: np.degrees,
    math.remainder: _vectorised(math.remainder),
    math.nextafter: np.nextafter,
    math.isnan: np.isnan,
    math.isinf: np.isinf,
    math.isfinite: np.isfinite,
    math.erf: _vectorised(math.erf),
    math.erfc: _vectorised(math.erfc),
    math.gamma: _vectorised(math.gamma),
    math.lgamma: _vectorised(math.lgamma),
    math.ldexp: np.ldexp,
    math.frexp: frexp,
    math.modf: modf,
}
"""Function of `math` -> the same over lanes. `frexp` and `modf` give pairs."""
FUNCTIONS |= {
    getattr(cmath, name): FUNCTIONS[getattr(math, name)]
    for name in ("sqrt", "exp", "log", "log10", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh",
                 "asinh", "acosh", "atanh", "isnan", "isinf", "isfinite")
}
FUNCTIONS[cmath.phase] = np.angle
if hasattr(math, "exp2"):
    FUNCTIONS[math.exp2] = np.exp2
if hasattr(math, "cbrt"):
    FUNCTIONS[math.cbrt] = np.cbrt
