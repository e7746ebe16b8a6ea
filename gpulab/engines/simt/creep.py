"""float64 that slips into a float32 kernel: the literal or the operation that widened the numbers, as notes."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from numba.cuda import types
from numba.cuda.core import ir as numba_ir

from gpulab.engines.simt.frontend import plain
from gpulab.trace import Note

if TYPE_CHECKING:
    from gpulab.engines.simt.lower import Lowering


def note_operation(low: Lowering, function: Any, signature: Any, left: Any, right: Any) -> None:
    """An operator that computes in float64 though an operand is a float32, or that makes float64 of integers."""
    kinds = [plain(kind) for kind in signature.args]
    integers = [isinstance(kind, types.Integer) for kind in kinds]
    if function is operator.truediv and all(integers):
        cure = "Write // for a whole number, or float32(...) around one of them."
        _note(low, low.line, f"`/` of two integers gives a float64. {cure}")
        return
    if plain(signature.return_type) != types.float64 and types.float64 not in kinds:
        return
    given = [plain(low.type_of(operand)) for operand in (left, right)]
    if types.float32 not in given or not _in_float32(low):
        return
    other = right if given[0] == types.float32 else left
    if isinstance(plain(low.type_of(other)), types.Integer):
        _note(low, low.line, "An integer and a float32 make a float64. Write float32(...) around the integer.")
        return
    _note_literal(low, other, f"line {low.line} compute" if low.line else "it compute")


def note_store(low: Lowering, array: Any, value: Any) -> None:
    """A float64 on its way into a float32 array that a literal widened without arithmetic: `max(x, 0.0)`, a choice."""
    if plain(low.type_of(value)) == types.float64 and plain(array.dtype) == types.float32 and _in_float32(low):
        definition = _resolved(low, value)
        if not isinstance(definition, numba_ir.Const):
            _note_literal(low, value, f"line {low.line} convert")


def _note_literal(low: Lowering, variable: Any, does: str) -> None:
    found = _widening_literal(low, variable, set())
    if found is None:
        return
    literal, line = found
    begins = f"The literal {literal!r} is a float64"
    if any(note.line == line and note.message.startswith(begins) for note in low.notes):
        return
    does = does.replace(f"line {line} ", "this line ")
    what = "in" if does.endswith("compute") else "to"
    _note(low, line, f"{begins} and makes {does} {what} float64. Write float32({literal!r}) to stay in float32.")


def _note(low: Lowering, line: int, message: str) -> None:
    if "float32(" in message and "float32" not in low.function.py_func.__globals__:
        message += " (It needs: from numba import float32.)"
    note = Note("float64", message, line)
    if note not in low.notes:
        low.notes.append(note)


def _in_float32(low: Lowering) -> bool:
    """Whether the function's arrays hold float32 and none holds float64."""
    items = {plain(kind.dtype) for kind in map(plain, low.function.types.values()) if isinstance(kind, types.Array)}
    return types.float32 in items and types.float64 not in items


def _resolved(low: Lowering, variable: Any) -> Any:
    """What a variable is assigned, through copies."""
    definition = low.definitions.get(variable.name)
    while isinstance(definition, numba_ir.Var):
        definition = low.definitions.get(definition.name)
    return definition


_PARTS = {"binop": ("lhs", "rhs"), "inplace_binop": ("lhs", "rhs"), "unary": ("value",), "cast": ("value",)}


def _widening_literal(low: Lowering, variable: Any, seen: set[str]) -> tuple[float, int] | None:
    """A float literal that a float64 value is made of, and its line."""
    if variable.name in seen:
        return None
    seen.add(variable.name)
    definition = low.definitions.get(variable.name)
    if isinstance(definition, numba_ir.Const):
        return (definition.value, definition.loc.line) if isinstance(definition.value, float) else None
    if isinstance(definition, (numba_ir.Global, numba_ir.FreeVar)):
        return None
    if isinstance(definition, numba_ir.Var):
        return _widening_literal(low, definition, seen)
    if not isinstance(definition, numba_ir.Expr) or plain(low.type_of(variable)) != types.float64:
        return None
    for operand in _operands(definition):
        found = _widening_literal(low, operand, seen)
        if found is not None:
            return found
    return None


def _operands(definition: Any) -> list[Any]:
    if definition.op == "phi":
        return [source for source in definition.incoming_values if isinstance(source, numba_ir.Var)]
    if definition.op == "call":
        return list(definition.args)
    return [getattr(definition, part) for part in _PARTS.get(definition.op, ())]
