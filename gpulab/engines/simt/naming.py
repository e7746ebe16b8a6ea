"""Which of the learner's variables an array index is made of, so that a step can say `k = 3`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numba.cuda import types
from numba.cuda.core import ir as numba_ir

from gpulab.engines.simt.frontend import plain

if TYPE_CHECKING:
    from gpulab.engines.simt.lower import Lowering

def index_names(low: Lowering) -> dict[int, dict[str, str]]:
    """Line -> variable of the source -> local of the lane program that holds it while an array is indexed there.

    A variable that a line uses in two versions (`a[i]; i += 1; b[i]` in one line) is left out.
    """
    found: dict[int, dict[str, set[str]]] = {}
    for block in low.function.ir.blocks.values():
        for statement in block.body:
            for index in _indexes(low, statement):
                for variable in _roots(low, index, set()):
                    if variable in low.names:
                        source = variable.split(".")[0]
                        found.setdefault(statement.loc.line, {}).setdefault(source, set()).add(low.names[variable])
    return {line: {name: next(iter(held)) for name, held in names.items() if len(held) == 1}
            for line, names in found.items()}


def _indexes(low: Lowering, statement: Any) -> list[Any]:
    """The index variables of an array access."""
    value = getattr(statement, "value", None)
    if isinstance(statement, numba_ir.SetItem):
        return [statement.index]
    if isinstance(statement, numba_ir.StaticSetItem) and statement.index_var is not None:
        return [statement.index_var]
    if not (isinstance(statement, numba_ir.Assign) and isinstance(value, numba_ir.Expr)):
        return []
    if value.op == "getitem":
        return [value.index]
    if value.op == "static_getitem" and value.index_var is not None:
        return [value.index_var]
    if value.op == "call" and value.args and isinstance(plain(low.type_of(value.args[0])), types.Array):
        return list(value.args[1:2])
    return []


def _roots(low: Lowering, variable: Any, seen: set[str]) -> set[str]:
    """The named integer variables that an index is computed from."""
    if variable.name in seen:
        return set()
    seen.add(variable.name)
    if not variable.name.startswith("$"):
        return {variable.name} if isinstance(plain(low.type_of(variable)), types.Integer) else set()
    definition = low.definitions.get(variable.name)
    if isinstance(definition, numba_ir.Var):
        return _roots(low, definition, seen)
    if not isinstance(definition, numba_ir.Expr) or definition.op in ("call", "getattr", "phi", "getitem"):
        return set()
    return set().union(*(_roots(low, source, seen) for source in definition.list_vars()))
