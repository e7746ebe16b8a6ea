"""What a function writes to, and which loads feed what it stores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numba.cuda import types
from numba.cuda.core import ir as numba_ir

from gpulab.engines.simt.frontend import plain

if TYPE_CHECKING:
    from gpulab.engines.simt.lower import Lowering


def array_root(low: Lowering, variable: Any, seen: frozenset[str] = frozenset()) -> int | str | None:
    """The parameter (position) an array variable is a view of; "own" for an array made here; None if unknown."""
    if variable.name in seen:
        return "own"
    seen = seen | {variable.name}
    definition = low.definitions.get(variable.name)
    if isinstance(definition, numba_ir.Arg):
        return int(definition.index)
    if isinstance(definition, numba_ir.Var):
        return array_root(low, definition, seen)
    if isinstance(definition, numba_ir.Expr):
        if definition.op in ("getitem", "static_getitem", "getattr", "cast"):
            return array_root(low, definition.value, seen)
        if definition.op == "call" and getattr(low.static(definition.func), "__name__", "") in ("array", "array_like"):
            return "own"
    if isinstance(definition, (numba_ir.Global, numba_ir.FreeVar)):
        return "own"
    return None


def stored_arrays(low: Lowering) -> list[int | None]:
    """Parameters that are stored to or updated; None among them where a store cannot be traced."""
    roots: list[int | None] = []
    for block in low.function.ir.blocks.values():
        for statement in block.body:
            for variable in _written_arrays(low, statement):
                root = array_root(low, variable)
                if root != "own":
                    roots.append(root if isinstance(root, int) else None)
    return roots


def _written_arrays(low: Lowering, statement: Any) -> list[Any]:
    if isinstance(statement, (numba_ir.SetItem, numba_ir.StaticSetItem)):
        return [statement.target]
    value = getattr(statement, "value", None)
    if not (isinstance(statement, numba_ir.Assign) and isinstance(value, numba_ir.Expr) and value.op == "call"):
        return []
    arrays = [a for a in value.args if isinstance(plain(low.type_of(a)), types.Array)]
    callee = low.type_of(value.func)
    if isinstance(callee, types.BoundFunction):  # a method: that of an array may store into it
        owner = getattr(low.definitions.get(value.func.name), "value", None)
        held = owner is not None and isinstance(plain(low.type_of(owner)), types.Array)
        return [*arrays, owner] if held else arrays
    if isinstance(callee, types.Dispatcher):
        program = low.program_for(callee.dispatcher.py_func, tuple(low.function.calls[value].args))
        if program.stores_to is None:
            return arrays
        return [
            a
            for i, a in enumerate(value.args)
            if i in program.stores_to and isinstance(plain(low.type_of(a)), types.Array)
        ]
    return arrays


def feeding_lines(low: Lowering) -> dict[int, frozenset[int]]:
    """Line of a store -> lines of the loads its value is made of, through variables and loops."""
    feeds: dict[int, frozenset[int]] = {}
    for block in low.function.ir.blocks.values():
        for statement in block.body:
            if isinstance(statement, (numba_ir.SetItem, numba_ir.StaticSetItem)):
                lines: set[int] = set()
                _collect_loads(low, statement.value, lines, set())
                feeds[statement.loc.line] = feeds.get(statement.loc.line, frozenset()) | frozenset(lines)
    return feeds


def _collect_loads(low: Lowering, variable: Any, lines: set[int], seen: set[str]) -> None:
    if variable.name in seen:
        return
    seen.add(variable.name)
    definition = low.definitions.get(variable.name)
    if isinstance(definition, numba_ir.Var):
        _collect_loads(low, definition, lines, seen)
    if not isinstance(definition, numba_ir.Expr):
        return
    if definition.op in ("getitem", "static_getitem") and isinstance(plain(low.type_of(definition.value)), types.Array):
        lines.add(definition.loc.line)
        return
    sources = list(definition.incoming_values) if definition.op == "phi" else list(definition.list_vars())
    for source in sources:
        if isinstance(source, numba_ir.Var):
            _collect_loads(low, source, lines, seen)


def stored_parameters(lowering: Lowering) -> frozenset[int] | None:
    """Parameters a store or atomic may reach, through views, copies and device functions."""
    stored: set[int] = set()
    for root in stored_arrays(lowering):
        if root is None:
            return None
        stored.add(root)
    return frozenset(stored)


def feeds_of(lowering: Lowering) -> dict[int, frozenset[int]]:
    """The same, of the functions that are called too."""
    feeds = feeding_lines(lowering)
    for callee in lowering.callees:
        feeds.update(callee.feeds)
    return feeds
