"""Plain loads that only guess: a compare-and-swap finds out whether the value still stands, and loses nothing if not.

The classic loop: `old = c[k]`, then `seen = cuda.atomic.cas(c, k, old, old + 1)` until `seen == old` (CUDA C++
Programming Guide, "Atomic Functions", builds an atomicAdd for doubles this way). Whatever others' atomics made of the
element since, the swap notices. A plain store of another thread it cannot order.

The value may take its way through copies, merges, device functions and conversions that keep every value of the array's
type: a swap that succeeds has then found what was read. `int(x)` of a float keeps none, and the read stays a plain one.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import cuda
from numba.cuda import types
from numba.cuda.core import ir as numba_ir

from gpulab.engines.simt.frontend import plain

if TYPE_CHECKING:
    from gpulab.engines.simt.lane_program import LaneProgram
    from gpulab.engines.simt.lower import Lowering

_LOADS = ("getitem", "static_getitem", "typed_getitem")


@dataclass(frozen=True)
class Guesses:
    """What one function guesses. `loads` are ids of its loads; `calls` those of calls to device functions -> the
    position of the array argument whose loads, where they are returned, are guesses."""

    loads: frozenset[int]
    calls: dict[int, int]


@dataclass(frozen=True)
class ThroughCall:
    """What a device function does with its parameters, by position.

    `compared`: (array, value) pairs that a compare-and-swap in it may use together; `returned`: values that it may
    return as they are; `read`: arrays of which it may return an element.
    """

    compared: frozenset[tuple[int, int]] = frozenset()
    returned: frozenset[int] = frozenset()
    read: frozenset[int] = frozenset()


def guesses_of(low: Lowering, guessed: int | None = None) -> Guesses:
    """The loads whose value a compare-and-swap on the same array compares with.

    With `guessed` the caller compares what this function returns with elements of that array parameter.
    """
    loads, calls = set(), dict[int, int]()
    for array, compared in _compared(low, guessed):
        for origin in _origins(low, compared, set()):
            if origin.op in _LOADS and _is(_made_by(low, origin.value), array):
                loads.add(id(origin))
            elif origin.op == "call":
                read = [i for i in _program(low, origin).through.read if _is(_made_by(low, origin.args[i]), array)]
                calls.update({id(origin): position for position in read})
    return Guesses(frozenset(loads), calls)


def through_call(low: Lowering) -> ThroughCall:
    """What a device function does with its parameters, for those who call it."""
    compared = {
        (array.index, origin.index)
        for array, value in _swaps(low) if isinstance(array, numba_ir.Arg)
        for origin in _origins(low, value, set(), arguments=True) if isinstance(origin, numba_ir.Arg)
    }
    returned, read = set(), set()
    for value in _returns(low):
        for origin in _origins(low, value, set(), arguments=True):
            if isinstance(origin, numba_ir.Arg):
                returned.add(origin.index)
                continue
            inner = _program(low, origin).through.read if origin.op == "call" else ()
            arrays = [origin.value] if origin.op in _LOADS else [origin.args[i] for i in inner]
            makers = [_made_by(low, array) for array in arrays]
            read |= {maker.index for maker in makers if isinstance(maker, numba_ir.Arg)}
    return ThroughCall(frozenset(compared), frozenset(returned), frozenset(read))


def _compared(low: Lowering, guessed: int | None) -> Iterator[tuple[Any, Any]]:
    """(what made the array, value) of each comparison with its elements, here or by the caller."""
    yield from _swaps(low)
    if guessed is not None:
        array = next((d for d in low.definitions.values() if isinstance(d, numba_ir.Arg) and d.index == guessed), None)
        yield from ((array, value) for value in _returns(low))


def _swaps(low: Lowering) -> Iterator[tuple[Any, Any]]:
    """(what made the array, value compared with) of each compare-and-swap, those in device functions included."""
    for block in low.function.ir.blocks.values():
        for statement in block.body:
            call = getattr(statement, "value", None)
            if not (isinstance(call, numba_ir.Expr) and call.op == "call"):
                continue
            function = low.static(call.func)
            if function is cuda.atomic.cas:
                yield _made_by(low, call.args[0]), call.args[2]
            elif function is cuda.atomic.compare_and_swap:
                yield _made_by(low, call.args[0]), call.args[1]
            elif _is_device_call(low, call):
                for array, value in _program(low, call).through.compared:
                    yield _made_by(low, call.args[array]), call.args[value]


def _returns(low: Lowering) -> Iterator[Any]:
    for block in low.function.ir.blocks.values():
        if isinstance(block.body[-1], numba_ir.Return):
            yield block.body[-1].value


def _is(maker: Any, other: Any) -> bool:
    return maker is not None and maker is other


def _is_device_call(low: Lowering, call: Any) -> bool:
    """Whether it is a call of a device function, by position only."""
    callee = low.type_of(call.func)
    return isinstance(callee, types.Dispatcher) and not call.kws and call.vararg is None


def _program(low: Lowering, call: Any) -> LaneProgram:
    return low.program_for(low.type_of(call.func).dispatcher.py_func, tuple(low.function.calls[call].args))


def _made_by(low: Lowering, array: Any) -> Any:
    """The one statement that an array comes from, through copies and views: an argument or a call; None if unknown."""
    definition = low.definitions.get(array.name)
    if isinstance(definition, numba_ir.Var):
        return _made_by(low, definition)
    if isinstance(definition, numba_ir.Expr) and definition.op in (*_LOADS, "getattr"):
        return _made_by(low, definition.value)
    made = isinstance(definition, numba_ir.Arg) or getattr(definition, "op", None) == "call"
    return definition if made else None


def _origins(low: Lowering, variable: Any, seen: set[str], arguments: bool = False) -> Iterator[Any]:
    """Where the value of a variable may come from, unchanged: loads, calls of device functions that may return one,
    and, if asked for, the function's own arguments."""
    if not isinstance(variable, numba_ir.Var) or variable.name in seen:
        return
    seen.add(variable.name)
    definition = low.definitions.get(variable.name)
    is_load = isinstance(definition, numba_ir.Expr) and definition.op in _LOADS and _is_array(low, definition.value)
    if is_load or (arguments and isinstance(definition, numba_ir.Arg)):
        yield definition
    for source in _unchanged(low, variable, definition):
        yield from _origins(low, source, seen, arguments)
    if isinstance(definition, numba_ir.Expr) and definition.op == "call" and _is_device_call(low, definition):
        through = _program(low, definition).through
        for position in through.returned:
            yield from _origins(low, definition.args[position], seen, arguments)
        if through.read:
            yield definition


def _unchanged(low: Lowering, variable: Any, definition: Any) -> list[Any]:
    """The variables whose value this one has, whatever the value is."""
    if isinstance(definition, numba_ir.Var):
        return [definition]
    if not isinstance(definition, numba_ir.Expr):
        return []
    if definition.op == "phi":
        return list(definition.incoming_values)
    if definition.op == "cast":
        return [definition.value]
    converts = definition.op == "call" and len(definition.args) == 1 and (
        isinstance(low.type_of(definition.func), types.NumberClass)
        or low.static(definition.func) in (builtins.int, builtins.float)
    )
    return list(definition.args) if converts and _keeps(low, definition.args[0], variable) else []


def _keeps(low: Lowering, source: Any, result: Any) -> bool:
    """Whether a conversion keeps every value of its operand's type."""
    kinds = [plain(low.type_of(variable)) for variable in (source, result)]
    if not all(isinstance(kind, (types.Integer, types.Float)) for kind in kinds):
        return False
    return bool(np.can_cast(low.dtype(kinds[0]), low.dtype(kinds[1]), "safe"))


def _is_array(low: Lowering, variable: Any) -> bool:
    return isinstance(plain(low.type_of(variable)), types.Array)
