"""How an element or a part of an array or a tuple is read and stored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba.cuda import types
from numba.cuda.core import ir as numba_ir

from gpulab.engines.simt.creep import note_store
from gpulab.engines.simt.errors import DoesNotCompile, Unsupported
from gpulab.engines.simt.frontend import plain
from gpulab.engines.simt.rewrites import LoadSite
from gpulab.engines.simt.spelling import kind_in_words, tuple_of
from gpulab.engines.simt.views import fill
from gpulab.trace import Note

if TYPE_CHECKING:
    from gpulab.engines.simt.lower import Lowering


def get_item(low: Lowering, target: Any, value: Any, held: Any) -> str | None:
    """`a[i]`: an element, or a view of a part."""
    owner = plain(low.type_of(value.value))
    static = value.op == "static_getitem"
    index = value.index_var if static and value.index_var is not None else value.index
    source = low.name(value.value.name)
    if isinstance(owner, types.BaseTuple):
        return _tuple_get(low, source, value, index, static)
    if not isinstance(owner, types.Array):
        raise Unsupported(f"indexing {kind_in_words(owner)}", low.line)
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


def set_item(low: Lowering, statement: Any, index: Any) -> None:
    """`a[i] = x`; a number fills a part."""
    owner = plain(low.type_of(statement.target))
    if not isinstance(owner, types.Array):
        raise Unsupported(f"assigning to an item of {kind_in_words(owner)}", low.line)
    source = low.name(statement.target.name)
    items = index_items(low, index, owner, source)
    many = any(item.startswith("slice(") or item in ("Ellipsis", "None") for item in items) or len(items) < owner.ndim
    many |= isinstance(index, numba_ir.Var) and _has_slice(plain(low.type_of(index)))
    held = plain(low.type_of(statement.value))
    if isinstance(held, types.Array):
        raise DoesNotCompile("Numba cannot copy an array on a GPU. Write a loop over its elements.", low.line)
    if not isinstance(held, (types.Number, types.Boolean)):
        raise Unsupported(f"assigning {kind_in_words(held)} to {'a slice' if many else 'an element'}", low.line)
    value = low.value(statement.value, owner.dtype)
    if many:
        part = f"subview(ctx, {source}, {tuple_of(items)}, m, {low.line})"
        low.write(f"{low.bind(fill)}(ctx, {part}, {value}, m, {low.line})")
    else:
        low.write(f"store({source}, {tuple_of(items)}, {value}, m, {low.line})")
    note_store(low, owner, statement.value)


def _has_slice(held: Any) -> bool:
    kinds = held if isinstance(held, types.BaseTuple) else [held]
    return any(isinstance(kind, types.SliceType) for kind in kinds)


def refuse_whole_arrays(low: Lowering, operands: list[Any]) -> None:
    """Arithmetic on a whole array would need memory on the GPU for its result, and numba-cuda refuses to lower it."""
    for operand in operands:
        if isinstance(plain(low.type_of(operand)), types.Array):
            name = operand.name.lstrip("$").split(".")[0]
            what = (
                f"{name} is a whole array" if not operand.name.startswith("$") else "this computes with a whole array"
            )
            raise DoesNotCompile(f"{what}. A thread handles one element: index it, as in a[i].", low.line)
