"""Which shared loads the compiler merges into wider ones: those along a row, in a loop that it lays out."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator
from typing import Any

from numba import cuda
from numba.cuda.core import ir as numba_ir

from gpulab.engines.simt.frontend import plain
from gpulab.engines.simt.value_numbers import Number, ValueNumbers, index_of

MOST_UNROLLED = 64
"""Rounds of a loop that ptxas still sees laid out one after another (128 are not)."""


class Merging:
    """Looks through the loops of one function."""

    def __init__(self, values: ValueNumbers) -> None:
        self.values = values
        self.low = values.low
        self.blocks = self.low.function.ir.blocks

    def merged(self) -> Iterator[tuple[int, int]]:
        """Shared loads along a row in a loop that is laid out, and how many elements they take at once."""
        for header in self.low.flow.headers:
            body = self._body_of(header)
            counter = self._counter(header)
            if body is None or counter is None or not self._only_loads_shared(body):
                continue
            for statement in body:
                if self.values.is_load(statement):
                    width = self._width(statement.value, counter)
                    if width > 1:
                        yield id(statement.value), width

    def _body_of(self, header: int) -> list[Any] | None:
        """The statements of a loop without branches or inner loops; None for others."""
        position = self.low.flow.position
        ends = [label for label in self.low.flow.predecessors[header] if position[label] >= position[header]]
        if len(ends) != 1:
            return None
        label, body = ends[0], list(self.blocks[header].body)
        while label != header:
            if len(self.blocks[label].terminator.get_targets()) != 1 or len(self.low.flow.predecessors[label]) != 1:
                return None
            body += self.blocks[label].body
            label = self.low.flow.predecessors[label][0]
        return body

    def _counter(self, header: int) -> str | None:
        """The variable that a `for k in range(...)` with few rounds known beforehand counts in."""
        nexts = [s for s in self.blocks[header].body if getattr(getattr(s, "value", None), "op", "") == "iternext"]
        if len(nexts) != 1:
            return None
        call = self._range_call(nexts[0].value.value)
        bounds = [self.low.static(argument) for argument in call.args] if call is not None else []
        if not bounds or not all(isinstance(bound, int) for bound in bounds):
            return None
        start, stop, step = {1: (0, *bounds, 1), 2: (*bounds, 1), 3: tuple(bounds)}[len(bounds)]
        if step != 1 or start % 4 or not 2 <= stop - start <= MOST_UNROLLED:
            return None
        pair = nexts[0].target.name
        return next(
            (
                s.target.name
                for s in self.values.statements()
                if getattr(getattr(s, "value", None), "op", "") == "pair_first" and s.value.value.name == pair
            ),
            None,
        )

    def _range_call(self, variable: Any) -> Any:
        """The call of `range` an iterator comes from."""
        definition: Any = variable
        while isinstance(definition, numba_ir.Var):
            definition = self._definition(definition)
            if getattr(definition, "op", "") in ("getiter", "cast"):
                definition = definition.value
            if getattr(definition, "op", "") == "phi":
                return None
        is_range = getattr(definition, "op", "") == "call" and self.low.static(definition.func) is range
        return definition if is_range else None

    def _definition(self, variable: Any) -> Any:
        return self.low.definitions.get(variable.name)

    def _only_loads_shared(self, body: list[Any]) -> bool:
        """Whether a loop stores nothing in shared memory and waits for nobody."""
        stores = [s for s in body if isinstance(s, (numba_ir.SetItem, numba_ir.StaticSetItem))]
        private = all(self.values.space(store.target) == "global" for store in stores)
        return private and not any(map(self.values.changes_memory, body))

    def _width(self, load: Any, counter: str) -> int:
        """How many elements a load of a static shared array takes at once; 1 where it stays as written."""
        array, item = load.value, self.low.dtype(plain(self.low.type_of(load.value)).dtype).itemsize
        last = self._last_of(index_of(load))
        row = self._row(array)
        if self.values.space(array) != "shared" or item < 4 or last is None or row is None:
            return 1
        step = math.gcd(row, self._multiple(last, counter))
        return next((size // item for size in (16, 8) if size > item and step * item % size == 0), 1)

    def _last_of(self, index: Any) -> Any:
        """The variable of the last axis of an index."""
        definition: Any = self._definition(index) if isinstance(index, numba_ir.Var) else None
        while isinstance(definition, numba_ir.Var):
            index, definition = definition, self._definition(definition)
        if getattr(definition, "op", "") == "build_tuple":
            return definition.items[-1]
        return index if isinstance(index, numba_ir.Var) else None

    def _multiple(self, variable: Any, counter: str) -> int:
        """For an index `k` or `x * c + k` with the loop's k: c, or 0 for `k` alone; else 1, which merges nothing."""
        number, _ = self.values.number(variable)
        loop = self.values.number(numba_ir.Var(None, counter, variable.loc))[0]
        number = _uncast(number)
        if number == _uncast(loop):
            return 0
        if number[:2] != ("binary", str(operator.add)):
            return 1
        parts = [_uncast(part) for part in number[3:]]
        if _uncast(loop) not in parts:
            return 1
        parts.remove(_uncast(loop))
        if parts[0][:2] != ("binary", str(operator.mul)):
            return 1
        factors = [_uncast(part)[1] for part in parts[0][3:] if _uncast(part)[0] == "constant"]
        return int(factors[0]) if factors and factors[0].isdigit() else 1

    def _row(self, array: Any) -> int | None:
        """Elements from one row of a static shared array to the next: 0 for one of a single axis, None if unknown."""
        definition = self._definition(array)
        while isinstance(definition, numba_ir.Var):
            definition = self._definition(definition)
        if getattr(definition, "op", "") in ("getitem", "static_getitem"):
            return self._row(definition.value)
        if getattr(definition, "op", "") != "call" or self.low.static(definition.func) is not cuda.shared.array:
            return None
        given = {"shape": definition.args[0] if definition.args else None, **dict(definition.kws)}
        shape = self.low.static(given["shape"])
        if isinstance(shape, int):
            return 0 if shape else None
        return int(shape[-1]) if isinstance(shape, tuple) and len(shape) > 1 else None


def _uncast(number: Number) -> Number:
    while number[0] == "cast":
        number = number[-1]
    return number
