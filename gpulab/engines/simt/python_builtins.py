"""Python's own functions in a kernel: range, min, sum, zip, casts."""

from __future__ import annotations

import builtins
import operator
from typing import TYPE_CHECKING, Any

import numpy as np
from numba.cuda import types

from gpulab.engines.simt import arithmetic, mathematics, operators
from gpulab.engines.simt.errors import Unsupported
from gpulab.engines.simt.frontend import plain, unified
from gpulab.engines.simt.iteration import iterator
from gpulab.engines.simt.ranges import Enumerated, Zipped, range_length
from gpulab.engines.simt.spelling import Writer
from gpulab.engines.simt.views import total

if TYPE_CHECKING:
    from gpulab.engines.simt.lower import Lowering


def _converted(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str:
    text = low.static(value.args[0])
    if isinstance(text, str):  # float("inf")
        return low.constant(float(text), held)
    if isinstance(plain(held), types.Boolean) and not isinstance(plain(low.type_of(value.args[0])), types.Boolean):
        return f"({low.value(value.args[0])} != 0)"
    return low.value(value.args[0], held)


def _complex(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str:
    if len(value.args) < 2:
        return _converted(low, target, value, held, signature)
    part = types.float32 if held is types.complex64 else types.float64
    real, imaginary = (low.value(argument, part) for argument in value.args)
    return f"{low.bind(operators.complex_of)}({real}, {imaginary})"


def _range(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str:
    kind = held.dtype
    zero, one = low.constant(0, kind), low.constant(1, kind)
    arguments = [low.value(argument, kind) for argument in value.args]
    start, stop, step = {1: (zero, *arguments, one), 2: (*arguments, one), 3: arguments}[len(arguments)]
    return f"RangeState({start}, {stop}, {step})"


def _extreme(of_two: Any, of_floats: Any) -> Writer:
    """`min` or `max`. Of exactly two floats the GPU's own, which ignores NaN; else Python's rule, one after another."""

    def write(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str:
        arguments = value.args
        if len(arguments) == 1 and isinstance(plain(low.type_of(arguments[0])), types.BaseTuple):
            kinds = [plain(kind) for kind in low.type_of(arguments[0])]
            texts = [f"{low.name(arguments[0].name)}[{i}]" for i in range(len(kinds))]
        else:
            kinds = [plain(low.type_of(argument)) for argument in arguments]
            texts = [low.value(argument) for argument in arguments]
        floats = len(arguments) == 2 and all(isinstance(kind, types.Float) for kind in kinds)
        function = low.bind(of_floats if floats else of_two)
        text, kind = texts[0], kinds[0]
        for other, other_kind in zip(texts[1:], kinds[1:], strict=True):
            both = unified(kind, other_kind)
            text = f"{function}({low.cast(text, kind, both)}, {low.cast(other, other_kind, both)})"
            kind = both
        return low.cast(text, kind, held)

    return write


def _len(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str:
    owner, known = plain(low.type_of(value.args[0])), low.static(value.args[0])
    if isinstance(owner, types.BaseTuple) or isinstance(known, (str, bytes)):
        return low.bind_scalar(len(owner if known is None else known), np.dtype(np.int64))
    if isinstance(owner, types.RangeType):
        return f"{low.bind(range_length)}({low.name(value.args[0].name)})"
    if not isinstance(owner, types.Array):
        raise Unsupported(f"len() of a value of type {owner}", low.line)
    return f"{low.name(value.args[0].name)}.shape[0]"


def _iter(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str:
    return iterator(low, value.args[0])


def _zip(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str:
    parts = ", ".join(iterator(low, argument) for argument in value.args)
    return f"{low.bind(Zipped)}(({parts},))" if parts else f"{low.bind(Zipped)}((over(()),))"


def _enumerate(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str:
    given = [*value.args[1:], *dict(value.kws).values()]
    count = low.value(given[0], types.int64) if given else low.bind_scalar(0, np.dtype(np.int64))
    return f"{low.bind(Enumerated)}({count}, {iterator(low, value.args[0])})"


def _sum(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str:
    """`sum` of a tuple or an array, each step in the type of the result."""
    owner = plain(low.type_of(value.args[0]))
    given = [*value.args[1:], *dict(value.kws).values()]
    start = low.value(given[0], held) if given else low.constant(0, held)
    if isinstance(owner, types.Array):
        return f"{low.bind(total)}(ctx, {low.name(value.args[0].name)}, {start}, m, {low.line})"
    if not isinstance(owner, types.BaseTuple):
        raise Unsupported(f"sum() of a value of type {owner}", low.line)
    text, add = start, low.bind(operators.BINARY[operator.add])
    for position, kind in enumerate(owner):
        item = low.cast(f"{low.name(value.args[0].name)}[{position}]", kind, held)
        text = f"{add}({text}, {item})"
        low.work.add(low.line, arithmetic.of_operator(operator.add, low.dtype(held)))
    return text


def _array_sum(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str:
    if len(value.args) != 1 or value.kws:
        raise Unsupported("np.sum() with an axis or a type", low.line)
    return f"{low.bind(total)}(ctx, {low.name(value.args[0].name)}, {low.constant(0, held)}, m, {low.line})"


def _tuple(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str:
    if not value.args:
        return "()"
    if not isinstance(plain(low.type_of(value.args[0])), types.BaseTuple):
        raise Unsupported("tuple() of anything but a tuple", low.line)
    return low.name(value.args[0].name)


def _abs(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str:
    return f"np.abs({low.value(value.args[0], held)})"


def _round(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str:
    number = low.value(value.args[0], signature.args[0])
    if len(value.args) > 1:
        digits = low.value(value.args[1], signature.args[1])
        return low.cast(f"{low.bind(mathematics.round_to)}({number}, {digits})", signature.args[0], held)
    return low.cast(f"np.rint({low.cast(number, signature.args[0], types.float64)})", types.float64, held)


def _pow(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str:
    return low.cast(low.binary(operator.pow, signature, *value.args[:2]), signature.return_type, held)


def _divmod(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str:
    kind = held[0]
    for function in (operator.floordiv, operator.mod):
        low.work.add(low.line, arithmetic.of_operator(function, low.dtype(kind)))
    left, right = low.value(value.args[0], kind), low.value(value.args[1], kind)
    return f"({low.bind(operators.floor_divide)}({left}, {right}), {low.bind(operators.remainder)}({left}, {right}))"


def _slice(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str:
    items = ["None" if isinstance(plain(low.type_of(a)), types.NoneType) else low.value(a) for a in value.args]
    return f"slice({', '.join(items)})"


def _isinstance(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str:
    raise Unsupported("isinstance() in a kernel", low.line)


CALLS: dict[Any, Writer] = {
    builtins.range: _range,
    builtins.slice: _slice,
    builtins.bool: _converted,
    builtins.int: _converted,
    builtins.float: _converted,
    builtins.complex: _complex,
    builtins.min: _extreme(operators.lesser, operators.lesser_float),
    builtins.max: _extreme(operators.greater, operators.greater_float),
    builtins.len: _len,
    builtins.abs: _abs,
    builtins.round: _round,
    builtins.pow: _pow,
    builtins.divmod: _divmod,
    builtins.isinstance: _isinstance,
    builtins.iter: _iter,
    builtins.zip: _zip,
    builtins.enumerate: _enumerate,
    builtins.sum: _sum,
    builtins.tuple: _tuple,
    np.sum: _array_sum,
}
"""Function -> how a call of it is written."""
