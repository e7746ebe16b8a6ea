"""How each statement of the IR is written into a lane program."""

from __future__ import annotations

import operator
from typing import Any

from numba.cuda import types
from numba.cuda.core import ir as numba_ir

from gpulab.engines.simt import arithmetic, operators
from gpulab.engines.simt.arithmetic import BlockWork
from gpulab.engines.simt.attributes import attribute
from gpulab.engines.simt.constants import literal
from gpulab.engines.simt.creep import note_operation
from gpulab.engines.simt.errors import DoesNotCompile, Unsupported
from gpulab.engines.simt.frontend import plain
from gpulab.engines.simt.indexing import get_item, refuse_whole_arrays, set_item
from gpulab.engines.simt.intrinsics import write_call
from gpulab.engines.simt.iteration import exhaust, get_iter, iter_next, pair
from gpulab.engines.simt.lower import Lowering
from gpulab.engines.simt.spelling import tuple_of
from gpulab.engines.simt.tuples import contained, identity, tuple_operator
from gpulab.engines.simt.variables import SILENT, YES


def write_statement(low: Lowering, statement: Any) -> None:
    """Write one IR statement at the current depth."""
    _check_assigned(low, statement)
    if isinstance(statement, numba_ir.Assign):
        _assign(low, statement.target, statement.value)
    elif isinstance(statement, numba_ir.SetItem):
        set_item(low, statement, statement.index)
    elif isinstance(statement, numba_ir.StaticSetItem):
        set_item(low, statement, statement.index_var if statement.index_var is not None else statement.index)
    elif isinstance(statement, numba_ir.Jump):
        low.go(statement.target, "m")
    elif isinstance(statement, numba_ir.Branch):
        low.branch(_condition(low, statement.cond), statement.truebr, statement.falsebr)
    elif isinstance(statement, numba_ir.Return):
        _return(low, statement)
    elif isinstance(statement, (numba_ir.StaticRaise, numba_ir.Raise)):
        _raise(low, statement)
    elif isinstance(statement, numba_ir.Print):
        values = [_printed(low, variable) for variable in statement.args]
        low.write(f"ctx.print(m, [{', '.join(values)}])")
    elif isinstance(statement, numba_ir.PopBlock):
        pass
    else:
        raise Unsupported(f"the statement '{statement}'", low.line)


def _check_assigned(low: Lowering, statement: Any) -> None:
    """Before a use of a variable that some lanes may never have assigned: find those lanes."""
    if not low.unsure or (isinstance(getattr(statement, "value", None), numba_ir.Expr) and statement.value.op == "phi"):
        return
    target = statement.target.name if isinstance(statement, numba_ir.Assign) else None
    if target is not None and target.startswith("$") and isinstance(statement.value, numba_ir.Var):
        if target in low.unsure:
            low.assign(f"{target}?", low.set_flag(statement.value))
        return
    for variable in statement.list_vars():
        if variable.name in low.unsure and variable.name != target:
            flag, name = low.set_flag(variable), variable.name.lstrip("$").split(".")[0]
            low.write(f"if {flag} is not {low.bind(YES)}: ctx.check_assigned({flag}, m, {low.line}, {name!r})")


def _printed(low: Lowering, variable: Any) -> str:
    static = low.static(variable)
    return repr(static) if isinstance(static, str) else low.value(variable)


def _condition(low: Lowering, variable: Any) -> str:
    held = plain(low.type_of(variable))
    if isinstance(held, types.Boolean):
        return low.name(variable.name)
    return f"({low.name(variable.name)} != 0)"


def _return(low: Lowering, statement: Any) -> None:
    returns = low.function.returns
    if not low.kernel and not isinstance(returns, types.NoneType):
        low.write(f"R = merge(m, {low.value(statement.value, returns)}, R)")
    if low.kernel:
        low.write("ctx.leave(m)")
    else:
        low.write("pass")


def _raise(low: Lowering, statement: Any) -> None:
    error = getattr(statement, "exc_class", None)
    name = getattr(error, "__name__", "an exception")
    arguments = [repr(argument) for argument in getattr(statement, "exc_args", None) or ()]
    text = f"{name}({', '.join(arguments)})" if arguments else name
    low.write(f"ctx.raised({text!r}, m, {low.line})")
    if low.kernel:
        low.write("ctx.leave(m)")


def _assign(low: Lowering, target: Any, value: Any) -> None:
    held = plain(low.type_of(target))
    if isinstance(value, numba_ir.Expr) and value.op == "phi":
        return
    if isinstance(held, SILENT) and not _has_effect(low, value):
        return
    if isinstance(value, numba_ir.Arg):
        low.assign(target.name, _argument(low, value, held))
    elif isinstance(value, numba_ir.Const):
        low.assign(target.name, literal(low, value.value, held, str(value)))
    elif isinstance(value, (numba_ir.Global, numba_ir.FreeVar)):
        low.assign(target.name, literal(low, value.value, held, value.name))
    elif isinstance(value, numba_ir.Var):
        low.assign(target.name, low.value(value, held))
    elif isinstance(value, numba_ir.Expr) and target.name in low.only_printed:
        counted, low.work = low.work, BlockWork()
        _expression(low, target, value, held)
        low.work = counted
    elif isinstance(value, numba_ir.Expr):
        _expression(low, target, value, held)
    else:
        raise Unsupported(f"'{value}'", low.line)


def _has_effect(low: Lowering, value: Any) -> bool:
    return isinstance(value, numba_ir.Expr) and value.op == "call"


def _argument(low: Lowering, value: Any, held: Any) -> str:
    given = low.function.arguments[value.index]
    if isinstance(given, types.Omitted):
        return literal(low, given.value, held, value.name)
    return low.cast(f"a{value.index}", given, held)


def _expression(low: Lowering, target: Any, value: Any, held: Any) -> None:
    writer = _EXPRESSIONS.get(value.op)
    if value.op in _REFUSED:
        what = _REFUSED[value.op]
        raise DoesNotCompile(f"Numba cannot make {what} on a GPU: NRT required but not enabled.", low.line)
    if writer is None:
        raise Unsupported(_WORDS.get(value.op, f"'{value.op}' expressions"), low.line)
    text = writer(low, target, value, held)
    if text is not None:
        low.assign(target.name, text)


_REFUSED = {"build_list": "a list", "build_map": "a dictionary", "build_set": "a set"}
"""What Numba types but cannot lower for want of a memory manager on the device."""

_WORDS = {
    "make_function": "functions defined inside a kernel",
    "yield": "generators in a kernel",
}


def _binop(low: Lowering, target: Any, value: Any, held: Any) -> str:
    function = value.immutable_fn if value.op == "inplace_binop" else value.fn
    left, right = value.lhs, value.rhs
    if function in (operator.is_, operator.is_not):
        return identity(low, function, left, right)
    if function is not operator.contains:
        refuse_whole_arrays(low, [left, right])
    signature = low.function.calls[value]
    if value.fn is operator.itruediv and isinstance(plain(signature.return_type), types.Integer):
        raise DoesNotCompile(
            "numba-cuda cannot compile /= between two integers. Write x = x / y (a float64), or x //= y.", low.line
        )
    if function is operator.contains and not isinstance(plain(low.type_of(left)), types.BaseTuple):
        return contained(low, left, right)
    if isinstance(plain(low.type_of(left)), types.BaseTuple):
        return tuple_operator(low, function, left, right)
    note_operation(low, function, signature, left, right)
    return low.cast(low.binary(function, signature, left, right), signature.return_type, held)


def _unary(low: Lowering, target: Any, value: Any, held: Any) -> str:
    refuse_whole_arrays(low, [value.value])
    signature = low.function.calls[value]
    function = operators.UNARY.get(value.fn)
    if function is None:
        raise Unsupported(f"the operator {value.fn}", low.line)
    kind = plain(signature.args[0])
    if isinstance(kind, types.Boolean) and value.fn in (operator.neg, operator.pos):
        kind = plain(signature.return_type)
    low.work.add(low.line, arithmetic.of_unary(value.fn, low.dtype(kind)))
    operand = low.value(value.value, kind)  # `-x` of a uint8 is a uint8 before it is widened
    return low.cast(f"{low.bind(function)}({operand})", types.boolean if value.fn is operator.not_ else kind, held)




def _build_tuple(low: Lowering, target: Any, value: Any, held: Any) -> str:
    items = []
    for variable, kind in zip(value.items, held, strict=True):
        kind = plain(kind)
        if isinstance(kind, (types.NoneType, SILENT)):
            items.append("None")
        else:
            items.append(low.value(variable, kind))
    return tuple_of(items)


def _cast(low: Lowering, target: Any, value: Any, held: Any) -> str:
    return low.value(value.value, held)


def _undefined(low: Lowering, target: Any, value: Any, held: Any) -> str:
    return "U"


_EXPRESSIONS: dict[str, Any] = {
    "binop": _binop,
    "inplace_binop": _binop,
    "unary": _unary,
    "getattr": attribute,
    "getitem": get_item,
    "typed_getitem": get_item,
    "static_getitem": get_item,
    "build_tuple": _build_tuple,
    "getiter": get_iter,
    "iternext": iter_next,
    "pair_first": pair(0),
    "pair_second": pair(1),
    "exhaust_iter": exhaust,
    "cast": _cast,
    "undef": _undefined,
    "null": _undefined,
    "call": write_call,
}



