"""Plain loads that only guess: a compare-and-swap finds out whether the value still stands, and loses nothing if not.

The classic loop: `old = c[k]`, then `seen = cuda.atomic.cas(c, k, old, old + 1)` until `seen == old` (CUDA C++
Programming Guide, "Atomic Functions", builds an atomicAdd for doubles this way). Whatever others' atomics made of the
element since, the swap notices. A plain store of another thread it cannot order.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from numba import cuda
from numba.cuda import types
from numba.cuda.core import ir as numba_ir

from gpulab.engines.simt.frontend import plain

if TYPE_CHECKING:
    from gpulab.engines.simt.lower import Lowering

_LOADS = ("getitem", "static_getitem", "typed_getitem")


def guessing_loads(low: Lowering) -> frozenset[int]:
    """ids of the loads whose value a compare-and-swap on the same array compares with, through copies and merges."""
    return frozenset(
        id(load)
        for array, compared in _swaps(low)
        if (owner := _made_by(low, array)) is not None
        for load in _loads_behind(low, compared, set())
        if _made_by(low, load.value) is owner
    )


def _swaps(low: Lowering) -> Iterator[tuple[Any, Any]]:
    """(array, value compared with) of each compare-and-swap."""
    for block in low.function.ir.blocks.values():
        for statement in block.body:
            call = getattr(statement, "value", None)
            if not (isinstance(call, numba_ir.Expr) and call.op == "call"):
                continue
            function = low.static(call.func)
            if function is cuda.atomic.cas:
                yield call.args[0], call.args[2]
            elif function is cuda.atomic.compare_and_swap:
                yield call.args[0], call.args[1]


def _made_by(low: Lowering, array: Any) -> Any:
    """The one statement that an array comes from, through copies and views: an argument or a call; None if unknown."""
    definition = low.definitions.get(array.name)
    if isinstance(definition, numba_ir.Var):
        return _made_by(low, definition)
    if isinstance(definition, numba_ir.Expr) and definition.op in (*_LOADS, "getattr"):
        return _made_by(low, definition.value)
    made = isinstance(definition, numba_ir.Arg) or getattr(definition, "op", None) == "call"
    return definition if made else None


def _loads_behind(low: Lowering, variable: Any, seen: set[str]) -> Iterator[Any]:
    """The loads whose value a variable may hold."""
    if not isinstance(variable, numba_ir.Var) or variable.name in seen:
        return
    seen.add(variable.name)
    definition = low.definitions.get(variable.name)
    if isinstance(definition, numba_ir.Var):
        yield from _loads_behind(low, definition, seen)
    elif isinstance(definition, numba_ir.Expr) and definition.op == "phi":
        for source in definition.incoming_values:
            yield from _loads_behind(low, source, seen)
    elif isinstance(definition, numba_ir.Expr) and definition.op in _LOADS and _is_array(low, definition.value):
        yield definition


def _is_array(low: Lowering, variable: Any) -> bool:
    return isinstance(plain(low.type_of(variable)), types.Array)
