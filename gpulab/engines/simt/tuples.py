"""Operators on tuples and ranges, item by item."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import numpy as np
from numba.cuda import types

from gpulab.engines.simt.errors import Unsupported
from gpulab.engines.simt.frontend import operator_signature, plain
from gpulab.engines.simt.ranges import in_range
from gpulab.engines.simt.spelling import kind_in_words

if TYPE_CHECKING:
    from gpulab.engines.simt.lower import Lowering


def identity(low: Lowering, function: Any, left: Any, right: Any) -> str:
    """`is` and `is not`: known beforehand where one side is None."""
    nones = [isinstance(plain(low.type_of(v)), types.NoneType) for v in (left, right)]
    if any(nones):
        return low.bind(np.bool_(all(nones) == (function is operator.is_)))
    kinds = " and ".join(kind_in_words(plain(low.type_of(variable))) for variable in (left, right))
    raise Unsupported(f"`is` between {kinds}", low.line)


def contained(low: Lowering, container: Any, item: Any) -> str:
    """`in` of anything but a tuple."""
    held, kind = plain(low.type_of(container)), plain(low.type_of(item))
    if isinstance(held, types.RangeType) and isinstance(kind, types.Integer):
        return f"{low.bind(in_range)}({low.name(container.name)}, {low.value(item, types.int64)})"
    raise Unsupported(f"`in` with {kind_in_words(held)}; write a loop over its elements", low.line)


def tuple_operator(low: Lowering, function: Any, left: Any, right: Any) -> str:
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
