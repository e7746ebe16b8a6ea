"""How each statement of the IR is written into a lane program."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from numba.cuda import types
from numba.cuda.core import ir as numba_ir

from gpulab.engines.simt import arithmetic, operators
from gpulab.engines.simt.arithmetic import BlockWork
from gpulab.engines.simt.creep import note_operation, note_store
from gpulab.engines.simt.errors import DoesNotCompile, Unsupported
from gpulab.engines.simt.frontend import operator_signature, plain
from gpulab.engines.simt.intrinsics import write_call
from gpulab.engines.simt.lower import SILENT, YES, Lowering, tuple_of
from gpulab.engines.simt.ranges import in_range
from gpulab.engines.simt.rewrites import LoadSite
from gpulab.engines.simt.views import fill
from gpulab.trace import Note


def write_statement(low: Lowering, statement: Any) -> None:
    """Write one IR statement at the current depth."""
    _check_assigned(low, statement)
    if isinstance(statement, numba_ir.Assign):
        _assign(low, statement.target, statement.value)
    elif isinstance(statement, numba_ir.SetItem):
        _set_item(low, statement, statement.index)
    elif isinstance(statement, numba_ir.StaticSetItem):
        _set_item(low, statement, statement.index_var if statement.index_var is not None else statement.index)
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
        low.assign(target.name, _literal(low, value.value, held, str(value)))
    elif isinstance(value, (numba_ir.Global, numba_ir.FreeVar)):
        low.assign(target.name, _literal(low, value.value, held, value.name))
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
        return _literal(low, given.value, held, value.name)
    return low.cast(f"a{value.index}", given, held)


def _literal(low: Lowering, value: Any, held: Any, name: str) -> str:
    """A constant: a number, a tuple of constants or a module-level array."""
    if isinstance(held, (types.Number, types.Boolean)):
        return low.constant(value, held)
    if isinstance(held, types.Array):
        if not isinstance(value, np.ndarray):
            raise Unsupported(f"'{name}', an array on the device, used without being an argument", low.line)
        return f"ctx.constant_array({name!r}, {low.bind(value.copy())})"  # what is changed later, the kernel never sees
    if isinstance(held, types.BaseTuple):
        items = [_literal(low, item, plain(kind), name) for item, kind in zip(value, held, strict=True)]
        return tuple_of(items)
    if isinstance(held, types.EllipsisType):
        return "Ellipsis"
    raise Unsupported(f"'{name}', a value of type {held}", low.line)


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


def refuse_whole_arrays(low: Lowering, operands: list[Any]) -> None:
    """Arithmetic on a whole array would need memory on the GPU for its result, and numba-cuda refuses to lower it."""
    for operand in operands:
        if isinstance(plain(low.type_of(operand)), types.Array):
            name = operand.name.lstrip("$").split(".")[0]
            what = (
                f"{name} is a whole array" if not operand.name.startswith("$") else "this computes with a whole array"
            )
            raise DoesNotCompile(f"{what}. A thread handles one element: index it, as in a[i].", low.line)


def _binop(low: Lowering, target: Any, value: Any, held: Any) -> str:
    function = value.immutable_fn if value.op == "inplace_binop" else value.fn
    left, right = value.lhs, value.rhs
    if function in (operator.is_, operator.is_not):
        return _identity(low, function, left, right)
    if function is not operator.contains:
        refuse_whole_arrays(low, [left, right])
    signature = low.function.calls[value]
    if value.fn is operator.itruediv and isinstance(plain(signature.return_type), types.Integer):
        raise DoesNotCompile(
            "numba-cuda cannot compile /= between two integers. Write x = x / y (a float64), or x //= y.", low.line
        )
    if function is operator.contains and not isinstance(plain(low.type_of(left)), types.BaseTuple):
        return _contained(low, left, right)
    if isinstance(plain(low.type_of(left)), types.BaseTuple):
        return _tuple_operator(low, function, left, right)
    note_operation(low, function, signature, left, right)
    return low.cast(low.binary(function, signature, left, right), signature.return_type, held)


def _identity(low: Lowering, function: Any, left: Any, right: Any) -> str:
    nones = [isinstance(plain(low.type_of(v)), types.NoneType) for v in (left, right)]
    if any(nones):
        return low.bind(np.bool_(all(nones) == (function is operator.is_)))
    kinds = " and ".join(_kind(plain(low.type_of(variable))) for variable in (left, right))
    raise Unsupported(f"`is` between {kinds}", low.line)


def _contained(low: Lowering, container: Any, item: Any) -> str:
    """`in` of anything but a tuple."""
    held, kind = plain(low.type_of(container)), plain(low.type_of(item))
    if isinstance(held, types.RangeType) and isinstance(kind, types.Integer):
        return f"{low.bind(in_range)}({low.name(container.name)}, {low.value(item, types.int64)})"
    raise Unsupported(f"`in` with {_kind(held)}; write a loop over its elements", low.line)


def _tuple_operator(low: Lowering, function: Any, left: Any, right: Any) -> str:
    """`==`, `!=` and `in` on tuples of numbers, item by item."""
    if function is operator.contains:
        items, needle = low.type_of(left), right
        parts = [
            low.binary(
                operator.eq,
                operator_signature(operator.eq, (plain(kind), plain(low.type_of(needle)))),
                _Item(low, left, i),
                needle,
            )
            for i, kind in enumerate(items)
        ]
        return " | ".join(parts) if parts else low.bind(np.bool_(False))
    if function in (operator.eq, operator.ne):
        kinds = list(zip(low.type_of(left), low.type_of(right), strict=False))
        parts = [
            low.binary(
                operator.eq,
                operator_signature(operator.eq, (plain(a), plain(b))),
                _Item(low, left, i),
                _Item(low, right, i),
            )
            for i, (a, b) in enumerate(kinds)
        ]
        same = " & ".join(f"({part})" for part in parts) if parts else low.bind(np.bool_(True))
        return same if function is operator.eq else f"np.logical_not({same})"
    if function is operator.add:
        return f"{low.name(left.name)} + {low.name(right.name)}"
    if function in _ORDERS:
        return _ordered(low, function, left, right)
    raise Unsupported("this operator on tuples", low.line)


_ORDERS = (operator.lt, operator.le, operator.gt, operator.ge)


def _ordered(low: Lowering, function: Any, left: Any, right: Any) -> str:
    """Tuples in order: the first items that are not equal decide, else the lengths."""
    kinds, others = low.type_of(left), low.type_of(right)
    text = low.bind(np.bool_(function(len(kinds), len(others))))
    for i, pair in reversed(list(enumerate(zip(map(plain, kinds), map(plain, others), strict=False)))):
        items = _Item(low, left, i), _Item(low, right, i)
        same = low.binary(operator.eq, operator_signature(operator.eq, pair), *items)
        decided = low.binary(function, operator_signature(function, pair), *items)
        text = f"np.where({same}, {text}, {decided})[()]"
    return text


class _Item:
    """An item of a tuple variable, where the lowering expects a variable."""

    def __init__(self, low: Lowering, variable: Any, index: int) -> None:
        self.name = f"{variable.name}[{index}]"
        low.names.setdefault(self.name, f"{low.name(variable.name)}[{index}]")
        low.function.types.setdefault(self.name, low.type_of(variable)[index])


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


def _getattr(low: Lowering, target: Any, value: Any, held: Any) -> str:
    owner = plain(low.type_of(value.value))
    name = value.attr
    if isinstance(owner, types.Module):
        return _module_attribute(low, owner, name, held)
    source = low.name(value.value.name)
    if str(owner) == "Dim3":
        return f"{source}.{name}"
    if isinstance(owner, types.Array):
        return _array_attribute(low, source, owner, name)
    if isinstance(owner, types.Complex) and name in ("real", "imag"):
        return f"{source}.{name}"
    if isinstance(owner, types.Number) and name == "real":
        return source
    if isinstance(owner, types.Number) and name == "imag":
        return low.constant(0, held)
    if isinstance(owner, (types.NamedTuple, types.NamedUniTuple)):
        return f"{source}[{owner.fields.index(name)}]"
    if isinstance(owner, types.RangeType) and name in _OF_RANGE:
        return f"{source}.{_OF_RANGE[name]}"
    raise Unsupported(f"the attribute '{name}' of {_kind(owner)}", low.line)


_OF_RANGE = {"start": "current", "stop": "stop", "step": "step"}
"""Attributes of a range -> those of its `RangeState`."""


_DIM3 = {
    "threadIdx": "ctx.geometry.thread_index",
    "blockIdx": "ctx.geometry.block_index",
    "blockDim": "ctx.geometry.block_size",
    "gridDim": "ctx.geometry.grid_size",
}


def _module_attribute(low: Lowering, owner: Any, name: str, held: Any) -> str:
    if str(held) == "Dim3":
        return _DIM3[name]
    if name == "laneid":
        return "ctx.geometry.lane_id"
    if name == "warpsize":
        return low.bind_scalar(32, np.dtype(np.int32))
    return _literal(low, getattr(owner.pymod, name), held, name)


def _array_attribute(low: Lowering, source: str, owner: Any, name: str) -> str:
    item = as_item_size(low, owner)
    texts = {
        "shape": f"{source}.shape",
        "size": f"{source}.size",
        "ndim": low.bind_scalar(owner.ndim, np.dtype(np.int64)),
        "T": f"transposed({source})",
        "itemsize": low.bind_scalar(item, np.dtype(np.int64)),
        "nbytes": f"{source}.size * {low.bind_scalar(item, np.dtype(np.int64))}",
        "strides": f"tuple(np.int64(s * {item}) for s in {source}.strides)",
    }
    if name not in texts:
        raise Unsupported(f"the attribute '{name}' of an array", low.line)
    return texts[name]


def as_item_size(low: Lowering, array: Any) -> int:
    return low.dtype(array.dtype).itemsize


# ---- indexing -------------------------------------------------------------------------------------------------------


def _get_item(low: Lowering, target: Any, value: Any, held: Any) -> str | None:
    owner = plain(low.type_of(value.value))
    static = value.op == "static_getitem"
    index = value.index_var if static and value.index_var is not None else value.index
    source = low.name(value.value.name)
    if isinstance(owner, types.BaseTuple):
        return _tuple_get(low, source, value, index, static)
    if not isinstance(owner, types.Array):
        raise Unsupported(f"indexing {_kind(owner)}", low.line)
    if isinstance(owner.dtype, types.Record):
        raise Unsupported("arrays of records", low.line)
    items = index_items(low, index, owner, source)
    if isinstance(held, types.Array):
        return f"subview(ctx, {source}, {tuple_of(items)}, m, {low.line})"
    guess = id(value) in low.guesses.loads
    arguments = f"{source}, {tuple_of(items)}, m, {low.line}, {guess}"
    if target.name in low.only_printed:
        return f"ctx.printed_load({arguments})"
    return f"load({arguments}, {low.bind(LoadSite(low.rewrites, id(value)))})"


def _tuple_get(low: Lowering, source: str, value: Any, index: Any, static: bool) -> str:
    if static:
        if isinstance(value.index, slice):
            return f"{source}[{value.index.start}:{value.index.stop}:{value.index.step}]"
        return f"{source}[{value.index}]"
    known = low.static(index)
    if isinstance(known, int):
        return f"{source}[{known}]"
    return f"tuple_item({source}, {low.value(index)}, {low.line})"


def index_items(low: Lowering, index: Any, owner: Any, source: str) -> list[str]:
    """One expression per item of an index. A literal negative number counts from the end, and is noted."""
    if not isinstance(index, numba_ir.Var):
        return [_static_item(low, item, source, axis) for axis, item in enumerate(_as_tuple(index))]
    held = plain(low.type_of(index))
    if not isinstance(held, types.BaseTuple):
        return [_item(low, index, source, 0)]
    definition = low.definitions.get(index.name)
    if isinstance(definition, numba_ir.Expr) and definition.op == "build_tuple":
        return [_item(low, item, source, axis) for axis, item in enumerate(definition.items)]
    known = low.static(index)
    if isinstance(known, tuple) and all(isinstance(item, int) for item in known):
        return [_static_item(low, item, source, axis) for axis, item in enumerate(known)]
    name = low.name(index.name)
    return [f"{name}[{i}]" for i in range(len(held))]


def _as_tuple(index: Any) -> tuple[Any, ...]:
    return index if isinstance(index, tuple) else (index,)


def _static_item(low: Lowering, item: Any, source: str, axis: int) -> str:
    if isinstance(item, int):
        return _constant_index(low, item, source, axis)
    if isinstance(item, slice):
        parts = [None if part is None else int(part) for part in (item.start, item.stop, item.step)]
        return "slice({}, {}, {})".format(*parts)
    if item is Ellipsis:
        return "Ellipsis"
    if item is None:
        return "None"
    raise Unsupported(f"the index {item!r}", low.line)


def _constant_index(low: Lowering, item: int, source: str, axis: int) -> str:
    if item < 0:
        low.notes.append(
            Note(
                "negative index",
                f"The index {item} counts from the end in Numba. In CUDA C it would lie in front of the array.",
                low.line,
            )
        )
        return f"({source}.shape[{axis}] + {low.bind_scalar(item, np.dtype(np.int64))})"
    return low.bind_scalar(item, np.dtype(np.int64))


def _item(low: Lowering, variable: Any, source: str, axis: int) -> str:
    held = plain(low.type_of(variable))
    if isinstance(held, types.NoneType):
        return "None"
    if isinstance(held, types.EllipsisType):
        return "Ellipsis"
    if isinstance(held, types.SliceType):
        return low.name(variable.name)
    known = low.static(variable)
    if isinstance(known, int) and not isinstance(known, bool):
        return _constant_index(low, known, source, axis)
    if isinstance(held, types.Boolean):
        return low.value(variable, types.int64)
    if not isinstance(held, types.Integer):
        raise Unsupported(f"an index of type {held}", low.line)
    return low.value(variable)


def _set_item(low: Lowering, statement: Any, index: Any) -> None:
    owner = plain(low.type_of(statement.target))
    if not isinstance(owner, types.Array):
        raise Unsupported(f"assigning to an item of {_kind(owner)}", low.line)
    source = low.name(statement.target.name)
    items = index_items(low, index, owner, source)
    many = any(item.startswith("slice(") or item in ("Ellipsis", "None") for item in items) or len(items) < owner.ndim
    many |= isinstance(index, numba_ir.Var) and _has_slice(plain(low.type_of(index)))
    held = plain(low.type_of(statement.value))
    if isinstance(held, types.Array):
        raise DoesNotCompile("Numba cannot copy an array on a GPU. Write a loop over its elements.", low.line)
    if not isinstance(held, (types.Number, types.Boolean)):
        raise Unsupported(f"assigning {_kind(held)} to {'a slice' if many else 'an element'}", low.line)
    value = low.value(statement.value, owner.dtype)
    if many:
        part = f"subview(ctx, {source}, {tuple_of(items)}, m, {low.line})"
        low.write(f"{low.bind(fill)}(ctx, {part}, {value}, m, {low.line})")
    else:
        low.write(f"store({source}, {tuple_of(items)}, {value}, m, {low.line})")
    note_store(low, owner, statement.value)


def _kind(held: Any) -> str:
    """A type in a few words."""
    if isinstance(held, types.Array):
        return "an array"
    return "a tuple" if isinstance(held, types.BaseTuple) else f"a value of type {held}"


def _has_slice(held: Any) -> bool:
    kinds = held if isinstance(held, types.BaseTuple) else [held]
    return any(isinstance(kind, types.SliceType) for kind in kinds)


# ---- tuples, iteration ----------------------------------------------------------------------------------------------


def _build_tuple(low: Lowering, target: Any, value: Any, held: Any) -> str:
    items = []
    for variable, kind in zip(value.items, held, strict=True):
        kind = plain(kind)
        if isinstance(kind, (types.NoneType, SILENT)):
            items.append("None")
        else:
            items.append(low.value(variable, kind))
    return tuple_of(items)


def _get_iter(low: Lowering, target: Any, value: Any, held: Any) -> str:
    return iterator(low, value.value)


def iterator(low: Lowering, variable: Any) -> str:
    """An expression for the state of a loop over a variable."""
    owner = plain(low.type_of(variable))
    if isinstance(owner, (types.RangeType, types.IteratorType)):
        return low.name(variable.name)
    if isinstance(owner, (types.Array, types.UniTuple, types.NamedUniTuple)):
        return f"over({low.name(variable.name)})"
    raise Unsupported(f"a loop over {_kind(owner)}; loop over range() and index", low.line)


def _iter_next(low: Lowering, target: Any, value: Any, held: Any) -> None:
    """Advances the iterator variable too: it is as good as assigned here."""
    first, valid, state = low.fresh(), low.fresh(), low.fresh()
    iterator = value.value.name
    if isinstance(plain(low.type_of(value.value)), types.RangeIteratorType):
        low.write(f"{first}, {valid}, {state} = next_in_range({low.name(iterator)})")
    else:
        low.write(f"{first}, {valid}, {state} = next_element(ctx, {low.name(iterator)}, m, {low.line})")
    low.assign(iterator, state)
    low.assign(target.name, f"({first}, {valid})")


def _pair(which: int) -> Any:
    def write(low: Lowering, target: Any, value: Any, held: Any) -> str:
        return f"{low.name(value.value.name)}[{which}]"

    return write


def _exhaust(low: Lowering, target: Any, value: Any, held: Any) -> str:
    owner = plain(low.type_of(value.value))
    if not isinstance(owner, types.BaseTuple):
        raise Unsupported(f"unpacking {_kind(owner)}; take its elements by index", low.line)
    return low.name(value.value.name)


def _cast(low: Lowering, target: Any, value: Any, held: Any) -> str:
    return low.value(value.value, held)


def _undefined(low: Lowering, target: Any, value: Any, held: Any) -> str:
    return "U"


_EXPRESSIONS: dict[str, Any] = {
    "binop": _binop,
    "inplace_binop": _binop,
    "unary": _unary,
    "getattr": _getattr,
    "getitem": _get_item,
    "typed_getitem": _get_item,
    "static_getitem": _get_item,
    "build_tuple": _build_tuple,
    "getiter": _get_iter,
    "iternext": _iter_next,
    "pair_first": _pair(0),
    "pair_second": _pair(1),
    "exhaust_iter": _exhaust,
    "cast": _cast,
    "undef": _undefined,
    "null": _undefined,
    "call": write_call,
}


# ---- what a program writes and what feeds it ------------------------------------------------------------------------


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
