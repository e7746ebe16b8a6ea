"""Arithmetic as Numba compiles it: operands cast to the signature's types, then one NumPy call.

Only typed scalars and arrays come here. Wrap-around, Python floor division and modulo, and float rules are the
signature's types' own.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from gpulab.engines.simt.mathematics import fused_multiply_add

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


def complex_of(real: Value, imaginary: Value) -> Value:
    """`complex(real, imaginary)`, part by part: a sum with a product would make a NaN of an infinity."""
    parts = np.broadcast_arrays(real, imaginary)
    result = np.empty(parts[0].shape, np.complex64 if parts[0].itemsize == 4 else np.complex128)
    result.real, result.imag = parts
    return result[()]


def _float_to_int(value: Value, dtype: np.dtype[Any]) -> Value:
    """Towards zero; out of range to the nearest end, 8-bit types by way of 16 bits.

    Source: PTX ISA, "cvt", and what an H200 gives.
    """
    if dtype.itemsize == 1:
        return _float_to_int(value, np.dtype(f"{dtype.kind}2")).astype(dtype)
    limits = np.iinfo(dtype)
    wide = np.trunc(value)
    inside = (wide >= float(limits.min)) & (wide < float(limits.max) + 1)
    if np.all(inside):
        return value.astype(dtype)
    safe = np.where(inside, wide, 0).astype(dtype)
    ends = np.where(wide > 0, dtype.type(limits.max), dtype.type(limits.min))
    result = np.where(inside, safe, np.where(np.isnan(value), _of_nan(value.dtype, dtype), ends))
    return result if isinstance(value, np.ndarray) else result[()]


def _of_nan(source: np.dtype[Any], dtype: np.dtype[Any]) -> Value:
    """What NaN becomes: 0, but only the top bit from float64 or to 64 bits."""
    if source == np.float32 and dtype.itemsize < 8:
        return dtype.type(0)
    return np.array(1 << (8 * dtype.itemsize - 1), f"u{dtype.itemsize}").view(dtype)[()]


def floor_divide(a: Value, b: Value) -> Value:
    """`//`; for integers, division by zero and the least number by -1 give 0, as numba-cuda compiles them."""
    if a.dtype.kind == "f":
        return _float_division(a, b, np.floor_divide, 0)
    bad = _undivided(a, b)
    return np.floor_divide(a, b) if bad is None else _where(bad, a.dtype.type(0), np.floor_divide(a, _one(bad, b)))


def remainder(a: Value, b: Value) -> Value:
    """`%` with Python's sign rule; 0 where `//` gives 0 for want of an answer."""
    if a.dtype.kind == "f":
        return _float_division(a, b, np.remainder, 1)
    bad = _undivided(a, b)
    return np.remainder(a, b) if bad is None else _where(bad, a.dtype.type(0), np.remainder(a, _one(bad, b)))


def _float_division(a: Value, b: Value, simple: np.ufunc, which: int) -> Value:
    """`//` or `%` of floats: NumPy's answer, except where the GPU's remainder is not exact."""
    exact = (np.abs(a / b) < _EXACT[a.dtype]) & np.isfinite(b)
    if np.all(exact):
        return simple(a, b)
    return _where(exact, simple(a, b), _divided_on_the_gpu(a, b)[which])


_EXACT = {np.dtype(np.float32): 2.0**22, np.dtype(np.float64): 2.0**51}
"""Quotients below this leave the remainder that Python computes."""


def _divided_on_the_gpu(a: Value, b: Value) -> tuple[Value, Value]:
    """`a // b` and `a % b` as numba-cuda writes them, over a remainder that NVVM computes as `a - trunc(a / b) * b`."""
    left = fused_multiply_add(-np.trunc(a / b), b, a)
    quotient = (a - left) / b
    other_sign = (left != 0) & ((b < 0) != (left < 0))
    quotient = np.where(other_sign, quotient - a.dtype.type(1), quotient)
    rest = np.where(other_sign, left + b, np.where(left == 0, np.copysign(a.dtype.type(0), b), left))
    whole = np.floor(quotient)
    whole = np.where(quotient - whole > 0.5, whole + a.dtype.type(1), whole)
    whole = np.where(quotient == 0, quotient * a / b, whole)
    return np.where(b == 0, a / b, whole), np.where(b == 0, left, rest)


def _undivided(a: Value, b: Value) -> Value:
    """Where `a // b` has no answer of its type; None where it always has."""
    if not isinstance(b, np.ndarray) and b > 0:
        return None
    bad = b == 0
    if a.dtype.kind == "i":
        bad = bad | ((b == -1) & (a == np.iinfo(a.dtype).min))
    return bad if np.any(bad) else None


def _one(bad: Value, b: Value) -> Value:
    return np.where(bad, b.dtype.type(1), b)


def _where(condition: Value, yes: Value, no: Value) -> Value:
    chosen: Value = np.where(condition, yes, no)
    return chosen[()]


_MOST_SQUARINGS = 0x10000
"""Exponents beyond this numba-cuda hands to `math.pow`."""


def power(a: Value, b: Value) -> Value:
    """`**`; with an integer exponent by repeated squaring in the result's type, as numba-cuda compiles it.

    An integer to a negative exponent gives 0, 1 or -1, and the least number of its type where it is 0.
    """
    if b.dtype.kind == "f":
        return np.power(a, b)
    exponent = np.abs(b)
    large = (exponent > _MOST_SQUARINGS) | (exponent < 0)
    result = _squared(a, np.where(large, b.dtype.type(0), exponent)[()])
    if np.any(large):
        result = _where(large, cast(np.power(a.astype(np.float64), b.astype(np.float64)), a.dtype), result)
    negative = b < 0
    if not np.any(negative):
        return result
    if a.dtype.kind == "f":
        return _where(negative & ~large, (1.0 / result.astype(np.float64)).astype(a.dtype), result)
    one = (a == 1) | (a == a.dtype.type(0) - a.dtype.type(1))
    inverse = _where(a == 0, np.array(1 << (8 * a.itemsize - 1), f"u{a.itemsize}").astype(a.dtype), a.dtype.type(0))
    return _where(negative & ~(one & large), _where(one, result, inverse), result)


def _squared(a: Value, exponent: Value) -> Value:
    result = np.ones_like(a)[()]
    while np.any(exponent != 0):
        odd = (exponent & 1) == 1
        result = _where(odd, result * a, result)
        exponent = exponent >> exponent.dtype.type(1)
        a = a * a
    return result


def shift_left(a: Value, b: Value) -> Value:
    """`<<`. Only the low 32 bits of the amount count; by the width or more it gives 0 (PTX ISA, "shl")."""
    return np.left_shift(a, _amount(b, a.dtype))


def shift_right(a: Value, b: Value) -> Value:
    return np.right_shift(a, _amount(b, a.dtype))


def _amount(b: Value, dtype: np.dtype[Any]) -> Value:
    return b if not isinstance(b, np.ndarray) and 0 <= b < 64 else b.astype(np.uint32).astype(dtype)


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
    """`min` as Python defines it: the first unless the second is smaller."""
    return _where(b < a, b, a) if a.dtype.kind == "f" else np.minimum(a, b)


def greater(a: Value, b: Value) -> Value:
    return _where(b > a, b, a) if a.dtype.kind == "f" else np.maximum(a, b)


def lesser_float(a: Value, b: Value) -> Value:
    """The GPU's `fmin`: NaN gives way to a number, and -0.0 is less than 0.0."""
    return _with_signed_zeros(np.fmin(a, b), a, b, np.logical_or)


def greater_float(a: Value, b: Value) -> Value:
    return _with_signed_zeros(np.fmax(a, b), a, b, np.logical_and)


def _with_signed_zeros(result: Value, a: Value, b: Value, negative: np.ufunc) -> Value:
    zeros = (a == 0) & (b == 0)
    if not np.any(zeros):
        return result
    zero = np.where(negative(np.signbit(a), np.signbit(b)), -0.0, 0.0).astype(result.dtype)
    return _where(zeros, zero, result)


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
    result = np.zeros_like(value)[()]
    for _ in range(bits):
        result = (result << value.dtype.type(1)) | (value & value.dtype.type(1))
        value = value >> value.dtype.type(1)
    return result.view(x.dtype) if isinstance(result, np.ndarray) else result.astype(x.dtype)
