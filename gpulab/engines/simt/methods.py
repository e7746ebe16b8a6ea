"""How calls of methods are written into a lane program: those of numbers, arrays and the whole grid."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numba.cuda import types
from numba.cuda.core import ir as numba_ir

from gpulab.engines.simt import operators
from gpulab.engines.simt.errors import DoesNotCompile, Unsupported
from gpulab.engines.simt.frontend import plain
from gpulab.engines.simt.spelling import kind_in_words
from gpulab.engines.simt.views import fill, reshaped, total

if TYPE_CHECKING:
    from gpulab.engines.simt.lower import Lowering

_Writer = Callable[["Lowering", str, Any, Any], "str | None"]
"""(lowering, the owner's expression, the call, the type of its result) -> the expression of the result."""


def write_method(low: Lowering, target: Any, value: Any, held: Any) -> str | None:
    """Write the call of a method; the expression of its result, or None where it has none."""
    definition = low.definitions.get(value.func.name)
    name = getattr(definition, "attr", "?")
    owner = plain(low.type_of(definition.value)) if isinstance(definition, numba_ir.Expr) else None
    if owner is None or not isinstance(definition, numba_ir.Expr):
        raise Unsupported(f"the method .{name}()", low.line)
    if "grid_group" in str(owner).lower() or "GridGroup" in type(owner).__name__:
        low.waits = True
        low.write(f"yield from ctx.collective('grid', m, {low.line})")
        return low.bind_scalar(0, np.dtype(np.int32))
    if isinstance(owner, types.Array) and name in _MADE_ANEW:
        raise DoesNotCompile(
            f"Numba cannot make the array of .{name}() on a GPU. A kernel has no memory for a new array.", low.line
        )
    table = _OF_ARRAYS if isinstance(owner, types.Array) else _OF_NUMBERS if isinstance(owner, types.Number) else {}
    if name not in table:
        raise Unsupported(f"the method .{name}() of {kind_in_words(owner)}", low.line)
    return table[name](low, low.name(definition.value.name), value, held)


_MADE_ANEW = ("astype", "copy", "flatten", "ravel")


def _conjugate(low: Lowering, source: str, value: Any, held: Any) -> str:
    return f"np.conj({source})" if isinstance(plain(held), types.Complex) else source


def _bit_count(low: Lowering, source: str, value: Any, held: Any) -> str:
    low.work.add(low.line, ("integer_ops", 1))
    return f"{low.bind(operators.popc)}({source})"


def _same_bits(low: Lowering, source: str, value: Any, held: Any) -> str:
    """`x.view(np.int32)` of a number: Numba has seen that the sizes agree."""
    return f"{source}.view({low.bind(low.dtype(held))})"


def _fill(low: Lowering, source: str, value: Any, held: Any) -> None:
    array = low.definitions[value.func.name].value
    number = low.value(value.args[0], plain(low.type_of(array)).dtype)
    low.write(f"{low.bind(fill)}(ctx, {source}, {number}, m, {low.line})")


def _sum(low: Lowering, source: str, value: Any, held: Any) -> str:
    if value.args or value.kws:
        raise Unsupported(".sum() with an axis or a type", low.line)
    return f"{low.bind(total)}(ctx, {source}, {low.constant(0, held)}, m, {low.line})"


def _transpose(low: Lowering, source: str, value: Any, held: Any) -> str:
    if value.args or value.kws:
        raise Unsupported(".transpose() with axes", low.line)
    return f"transposed({source})"


def _reshape(low: Lowering, source: str, value: Any, held: Any) -> str:
    given = value.args
    if len(given) == 1 and isinstance(plain(low.type_of(given[0])), types.BaseTuple):
        shape = low.name(given[0].name)
    else:
        shape = f"({''.join(f'{low.value(extent)}, ' for extent in given)})"
    return f"{low.bind(reshaped)}({source}, {shape}, {low.line})"


_OF_NUMBERS: dict[str, _Writer] = {"conjugate": _conjugate, "bit_count": _bit_count, "view": _same_bits}
_OF_ARRAYS: dict[str, _Writer] = {"fill": _fill, "sum": _sum, "transpose": _transpose, "reshape": _reshape}
