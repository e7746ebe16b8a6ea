"""How loops over ranges, tuples and arrays are written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numba.cuda import types

from gpulab.engines.simt.errors import Unsupported
from gpulab.engines.simt.frontend import plain
from gpulab.engines.simt.spelling import kind_in_words

if TYPE_CHECKING:
    from gpulab.engines.simt.lower import Lowering


def get_iter(low: Lowering, target: Any, value: Any, held: Any) -> str:
    """Where a `for` begins."""
    return iterator(low, value.value)


def iterator(low: Lowering, variable: Any) -> str:
    """An expression for the state of a loop over a variable."""
    owner = plain(low.type_of(variable))
    if isinstance(owner, (types.RangeType, types.IteratorType)):
        return low.name(variable.name)
    if isinstance(owner, (types.Array, types.UniTuple, types.NamedUniTuple)):
        return f"over({low.name(variable.name)})"
    raise Unsupported(f"a loop over {kind_in_words(owner)}; loop over range() and index", low.line)


def iter_next(low: Lowering, target: Any, value: Any, held: Any) -> None:
    """Advances the iterator variable too: it is as good as assigned here."""
    first, valid, state = low.fresh(), low.fresh(), low.fresh()
    iterator = value.value.name
    if isinstance(plain(low.type_of(value.value)), types.RangeIteratorType):
        low.write(f"{first}, {valid}, {state} = next_in_range({low.name(iterator)})")
    else:
        low.write(f"{first}, {valid}, {state} = next_element(ctx, {low.name(iterator)}, m, {low.line})")
    low.assign(iterator, state)
    low.assign(target.name, f"({first}, {valid})")


def pair(which: int) -> Any:
    """The element of what `iter_next` gives (0), or whether there is one (1)."""
    def write(low: Lowering, target: Any, value: Any, held: Any) -> str:
        return f"{low.name(value.value.name)}[{which}]"

    return write


def exhaust(low: Lowering, target: Any, value: Any, held: Any) -> str:
    """`x, y = t`: the tuple whose items are taken next."""
    owner = plain(low.type_of(value.value))
    if not isinstance(owner, types.BaseTuple):
        raise Unsupported(f"unpacking {kind_in_words(owner)}; take its elements by index", low.line)
    return low.name(value.value.name)
