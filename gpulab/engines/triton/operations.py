"""What Triton's language can do, on values with an axis of programs in front: [programs or 1, *block]."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gpulab.engines.triton.numbers import HELD, Values, settle, tf32

Handles = tuple[Values, ...]


def _erf(values: Values) -> Values:
    return np.asarray(np.vectorize(math.erf, otypes=[np.float64])(values), values.dtype)


UNARY: dict[str, Callable[..., Values]] = {
    "exp": np.exp, "exp2": np.exp2, "log": np.log, "log2": np.log2, "cos": np.cos, "sin": np.sin, "sqrt": np.sqrt,
    "precise_sqrt": np.sqrt, "rsqrt": lambda x: 1 / np.sqrt(x), "floor": np.floor, "ceil": np.ceil, "fabs": np.abs,
    "iabs": np.abs, "erf": _erf, "fneg": np.negative,
}

BINARY: dict[str, Callable[..., Values]] = {
    **dict.fromkeys(("fadd", "add"), np.add), **dict.fromkeys(("fsub", "sub"), np.subtract),
    **dict.fromkeys(("fmul", "mul"), np.multiply), **dict.fromkeys(("fdiv", "precise_divf", "approx_divf"), np.divide),
    "frem": np.fmod, **dict.fromkeys(("srem", "urem"), np.fmod), "and": np.bitwise_and, "or": np.bitwise_or,
    "xor": np.bitwise_xor, "shl": np.left_shift,
    **dict.fromkeys(("minsi", "minui"), np.minimum), **dict.fromkeys(("maxsi", "maxui"), np.maximum),
    "minimumf": np.minimum, "maximumf": np.maximum, "minnumf": np.fmin, "maxnumf": np.fmax,
}

COMPARISONS: dict[str, Callable[..., Values]] = {
    **{f"icmp{name}": function for names, function in (
        (("SLE", "ULE"), np.less_equal), (("SLT", "ULT"), np.less), (("SGE", "UGE"), np.greater_equal),
        (("SGT", "UGT"), np.greater), (("EQ",), np.equal), (("NE",), np.not_equal)) for name in names},
    **{f"fcmp{order}{name}": function for name, function in (
        ("LT", np.less), ("GT", np.greater), ("LE", np.less_equal), ("GE", np.greater_equal), ("EQ", np.equal),
        ("NE", np.not_equal)) for order in "OU"},
}


LIBRARY: dict[str, Callable[..., Values]] = {
    **{name: getattr(np, name) for name in (
        "sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sqrt",
        "cbrt", "floor", "ceil", "trunc", "rint", "fmod", "hypot", "copysign")},
    "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "asinh": np.arcsinh, "acosh": np.arccosh,
    "atanh": np.arctanh, "atan2": np.arctan2, "pow": np.power, "fabs": np.abs, "fmax": np.fmax, "fmin": np.fmin,
    "erf": _erf, "erfc": lambda x: 1 - _erf(x), "rsqrt": lambda x: 1 / np.sqrt(x),
    "fast_exp": np.exp, "fast_log": np.log, "fast_sin": np.sin, "fast_cos": np.cos, "fast_tan": np.tan,
    "fast_tanh": np.tanh, "fast_pow": np.power, "fast_fdivide": np.divide, "div_rn": np.divide,
    "abs": np.abs, "isnan": lambda x: np.isnan(x).astype(np.int32), "isinf": lambda x: np.isinf(x).astype(np.int32),
}
"""Functions of libdevice, by their names without `__nv_` and the `f` of float32."""


def of_library(symbol: str) -> Callable[..., Values] | None:
    """What `__nv_tanhf` computes, if that is known here."""
    name = symbol.removeprefix("__nv_")
    return LIBRARY.get(name) or LIBRARY.get(name.removesuffix("f")) or LIBRARY.get(name.removesuffix("d"))


def binary(name: str, one: Values, other: Values, kind: str) -> Values:
    """An operation of two values of one type; bits of a truth value wrap around as those of wider integers do."""
    if kind == "int1" and name in ("add", "sub", "mul"):
        return np.asarray(BINARY[name](one.astype(np.int8), other.astype(np.int8)) & 1).astype(bool)
    return settle(BINARY[name](one, other), kind)


def divide(one: Values, other: Values) -> Values:
    """Integers, toward zero, as C and GPUs do."""
    return np.asarray((one - np.fmod(one, other)) // other, one.dtype)


def shift_right(one: Values, other: Values, signed: bool) -> Values:
    """With the sign, or with zeros."""
    width = one.dtype.itemsize
    whole = np.dtype(f"{'i' if signed else 'u'}{width}")
    shifted = np.right_shift(one.view(whole) if one.dtype != bool else one, other.astype(whole))
    return np.asarray(shifted).view(one.dtype)


def high_product(one: Values, other: Values) -> Values:
    """The upper half of the product of two unsigned integers."""
    size = one.dtype.itemsize
    whole = np.dtype(f"u{size}")
    a, b = np.broadcast_arrays(np.ascontiguousarray(one).view(whole), np.ascontiguousarray(other).view(whole))
    if size < 8:
        wide = np.dtype(f"u{2 * size}")
        return np.asarray(a.astype(wide) * b.astype(wide) >> wide.type(8 * size), whole).view(one.dtype)
    low, half = np.uint64(0xFFFFFFFF), np.uint64(32)
    a0, a1, b0, b1 = a & low, a >> half, b & low, b >> half
    middle = a1 * b0 + (a0 * b0 >> half)
    rest = a0 * b1 + (middle & low)
    return np.asarray(a1 * b1 + (middle >> half) + (rest >> half)).view(one.dtype)


def multiply_add(x: Values, y: Values, z: Values, kind: str) -> Values:
    """x * y + z, rounded once (for float32 by way of float64)."""
    wide = np.float64 if kind != "fp64" else np.longdouble
    exact = x.astype(wide) * y.astype(wide) + z.astype(wide)
    return settle(exact.astype(np.float64 if kind == "fp64" else np.float32), kind)


def dot(a: Values, b: Values, start: Values, kind: str, result: str, lower: bool) -> Values:
    """Matrix products added to `start`; of float32 in TF32 where `lower` says so. Integers are exact."""
    if kind == "fp32" and lower:
        a, b = tf32(a), tf32(b)
    if kind.startswith(("int", "uint")):
        exact = np.matmul(a.astype(np.float64), b.astype(np.float64)).astype(np.int64)
        return np.asarray(exact + start, HELD[result])
    wide = np.float64 if kind == "fp64" else np.float32
    return settle(np.matmul(a.astype(wide, copy=False), b.astype(wide, copy=False)) + start, result)


def _equal_programs(values: Sequence[Values]) -> list[Values]:
    programs = max(len(value) for value in values)
    return [np.broadcast_to(value, (programs, *value.shape[1:])) for value in values]


def joined(one: Values, other: Values, axis: int | None) -> Values:
    """Two blocks one after the other (`axis` 0), or element by element along a new last axis."""
    pair = _equal_programs((one, other))
    return np.stack(pair, axis=-1) if axis is None else np.concatenate(pair, axis=axis + 1)


def gathered(source: Values, indices: Values, axis: int) -> Values:
    """`source` at `indices` along an axis of the block."""
    source, indices = _equal_programs((source, indices))
    return np.take_along_axis(source, indices.astype(np.int64), axis=axis + 1)


def histogram(values: Values, bins: int, mask: Values | None) -> Values:
    """How often each of 0 ... bins - 1 comes, for each program; what lies outside is not counted."""
    counts = (values >= 0) & (values < bins)
    if mask is not None:
        counts, values = np.broadcast_arrays(counts & mask, values)
    rows = [np.bincount(row[count].astype(np.int64), minlength=bins) for row, count in zip(
        values.reshape(len(values), -1), counts.reshape(len(counts), -1), strict=True)]
    return np.stack(rows).astype(np.int32)


Combine = Callable[[Handles, Handles], Handles]


def folded(values: Handles, axis: int, combine: Combine) -> Handles:
    """A reduction along a block's axis by halves, as a GPU's lanes do it: log2 steps of whole slices."""
    at = axis + 1
    parts = tuple(_equal_programs(values))
    while parts[0].shape[at] > 1:
        length = parts[0].shape[at]
        half = length // 2
        low = tuple(_slice(part, at, 0, half) for part in parts)
        high = tuple(_slice(part, at, half, 2 * half) for part in parts)
        done = combine(low, high)
        if length % 2:
            rest = tuple(_slice(part, at, 2 * half, length) for part in parts)
            parts = tuple(np.concatenate(_equal_programs(pair), axis=at) for pair in zip(done, rest, strict=True))
        else:
            parts = done
    return tuple(np.squeeze(part, axis=at) for part in parts)


def scanned(values: Handles, axis: int, combine: Combine, reverse: bool) -> Handles:
    """A running reduction along a block's axis, in log2 steps."""
    at = axis + 1
    parts = tuple(_equal_programs(values))
    if reverse:
        parts = tuple(np.flip(part, axis=at) for part in parts)
    step, length = 1, parts[0].shape[at]
    while step < length:  # over whole blocks, whose lengths Triton knows: the first `step` lanes stay as they are
        done = combine(tuple(np.roll(part, step, axis=at) for part in parts), parts)
        late = np.arange(length) >= step
        late = late.reshape([-1 if axis == at else 1 for axis in range(parts[0].ndim)])
        parts = tuple(np.where(late, after, before) for after, before in zip(done, parts, strict=True))
        step *= 2
    return tuple(np.flip(part, axis=at) for part in parts) if reverse else parts


def _slice(values: Values, axis: int, start: int, stop: int) -> Values:
    places: list[Any] = [slice(None)] * values.ndim
    places[axis] = slice(start, stop)
    return np.asarray(values[tuple(places)])
