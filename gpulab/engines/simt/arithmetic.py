"""What counts as arithmetic: operations as the learner wrote them, not as the compiler leaves them.

Counted, once for each active lane that executes it:

- `flops_float32` and `flops_float64`, by the type the operation is computed in: `+ - * / // % **` of floats one each,
  `cuda.fma` two, a function of `math` (or a NumPy one) that computes a new number, such as `sqrt`, `exp`, `sin` or
  `pow`, one. Complex numbers: `+ -` two, `*` six, `/` eleven, in the type of their parts.
- `integer_ops`: `+ - * // % ** & | ^ << >>`, `-x` and `~x` of integers, `popc`, `clz`, `ffs`, `brev`: one each.
  `divmod` is two. Arithmetic within an index (`a[i * n + j]`) is counted where it is written.

Not counted: comparisons, `not`, `and`, `or`, `min`, `max`, `abs`, negation of floats, rounding, casts, `math.isnan` and
the like, what constants fold to before the kernel runs, the steps of `range`, `cuda.grid`, what it takes to turn an
index into an address, warp-level calls and atomics. float16 is in none of the three.
"""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

_ARITHMETIC = {
    operator.add,
    operator.sub,
    operator.mul,
    operator.truediv,
    operator.floordiv,
    operator.mod,
    operator.pow,
}
_BITWISE = {operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift}
_COMPLEX = {operator.add: 2, operator.sub: 2, operator.mul: 6, operator.truediv: 11}
_FREE = {
    math.floor,
    math.ceil,
    math.trunc,
    math.fabs,
    math.copysign,
    math.isnan,
    math.isinf,
    math.isfinite,
    math.nextafter,
    math.frexp,
    math.modf,
    math.ldexp,
}
"""Functions of `math` that round, test or take apart."""

_FREE_UFUNCS = {
    np.floor,
    np.ceil,
    np.trunc,
    np.rint,
    np.absolute,
    np.fabs,
    np.copysign,
    np.negative,
    np.positive,
    np.sign,
    np.signbit,
    np.maximum,
    np.minimum,
    np.fmax,
    np.fmin,
    np.isnan,
    np.isinf,
    np.isfinite,
    np.nextafter,
    np.spacing,
    np.frexp,
    np.modf,
    np.ldexp,
    np.conjugate,
}

Work = tuple[str, int]
"""A counter, and how much an operation adds to it."""


@dataclass(eq=False)
class BlockWork:
    """What one execution of a basic block adds, for each active lane: the lines it begins and their arithmetic."""

    begins: set[int] = field(default_factory=set)
    operations: dict[tuple[int, str], int] = field(default_factory=dict)

    def add(self, line: int, work: Work | None) -> None:
        """Count an operation on `line`."""
        if work is not None:
            key = (line, work[0])
            self.operations[key] = self.operations.get(key, 0) + work[1]

    def __bool__(self) -> bool:
        return bool(self.begins or self.operations)


def of_operator(function: Any, dtype: np.dtype[Any]) -> Work | None:
    """What a binary operator adds, computed in `dtype`."""
    if dtype.kind in "iu":
        return ("integer_ops", 1) if function in _ARITHMETIC or function in _BITWISE else None
    if dtype.kind == "c":
        flops = _flops(np.dtype(f"f{dtype.itemsize // 2}"))
        return (flops, _COMPLEX[function]) if flops and function in _COMPLEX else None
    flops = _flops(dtype)
    return (flops, 1) if flops and function in _ARITHMETIC else None


def of_unary(function: Any, dtype: np.dtype[Any]) -> Work | None:
    """What `-x` or `~x` adds."""
    return ("integer_ops", 1) if dtype.kind in "iu" and function in (operator.neg, operator.invert) else None


def of_function(function: Any, dtype: np.dtype[Any]) -> Work | None:
    """What a function of numbers adds that is computed in `dtype`."""
    if isinstance(function, np.ufunc):
        counted = function not in _FREE_UFUNCS and dtype.kind in "f" and "?" not in _results(function)
    else:
        counted = function not in _FREE
    flops = _flops(dtype)
    return (flops, 1) if flops and counted else None


def _results(ufunc: np.ufunc) -> str:
    """The result types of a NumPy function; "?" where it only ever answers yes or no."""
    results = {signature.split("->")[1] for signature in ufunc.types if "O" not in signature}
    return "?" if results == {"?"} else ""


def _flops(dtype: np.dtype[Any]) -> str:
    return {"float32": "flops_float32", "float64": "flops_float64"}.get(dtype.name, "")


def of_fma(dtype: np.dtype[Any]) -> Work | None:
    """A fused multiply-add is two operations."""
    flops = _flops(dtype)
    return (flops, 2) if flops else None
