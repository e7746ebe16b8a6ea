"""What the compiler is known to do to accesses as written: drop, merge neighbours, loop around an atomic.

An estimate by rule, from what NVVM and ptxas of CUDA 13 make of Numba's code for compute capability 9.0 (seen in PTX
and machine code):

- a load of an element that the same thread loaded or stored before is dropped, if nothing between may have changed it:
  a store to the same memory space (whatever the array), an atomic, a barrier or any call that is not arithmetic;
- a load whose value nothing uses is dropped;
- shared loads along a row, in a loop of at most 64 rounds known beforehand, are merged into loads of 16 or 8 bytes, if
  rows begin at multiples of that and the loop has no branch, no barrier and no store to shared memory;
- atomics that the hardware lacks become loops of a load and a compare-and-swap (see `needs_loop`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numba.cuda.core import ir as numba_ir

from gpulab.engines.simt.merging import Merging
from gpulab.engines.simt.value_numbers import Number, ValueNumbers, index_of

if TYPE_CHECKING:
    from gpulab.engines.simt.lower import Lowering

AGAIN = "The compiler keeps the value: this thread has it already, and nothing could have changed it since."
UNUSED = "The compiler drops the load: nothing uses its value."
MERGED = "The compiler lays the loop out and loads {} neighbours at once."


@dataclass(frozen=True)
class Rewrite:
    """The compiler's change to one access of the source.

    `width` 0 drops it; 2 or 4 merges it with the next ones: the first of `width` neighbours stands for them all.
    `why` is a sentence for the learner.
    """

    width: int
    why: str


def needs_loop(operation: str, space: str, dtype: np.dtype[Any]) -> bool:
    """Whether an atomic becomes a loop of compare-and-swap (as ptxas compiles for compute capability 9.0).

    The hardware of shared memory knows 32-bit integers only; of floats, global memory can only be added to.
    """
    if operation in ("exch", "cas", "compare_and_swap"):
        return False
    if space == "shared":
        return dtype.kind == "f" or dtype.itemsize == 8
    return dtype.kind == "f" and operation != "add"


def reloads(operation: str, space: str, dtype: np.dtype[Any]) -> bool:
    """Whether such a loop loads in every round (ptxas's own) or, as Numba's do, once before the first."""
    return space == "shared" and not (dtype.kind == "f" and operation != "add")


class Rewrites:
    """One function's, found when somebody first counts as compiled: it takes as long as a tenth of writing the program.

    Its loads ask by the id of their expression.
    """

    def __init__(self, low: Lowering) -> None:
        self._low = low

    @cached_property
    def _found(self) -> dict[int, Rewrite]:
        return rewrites_of(self._low)

    def of(self, load: int) -> Rewrite | None:
        """What becomes of that load; None where it stays as it is."""
        return self._found.get(load)


@dataclass(frozen=True)
class LoadSite:
    """A load as it stands in the source. `load` is the id of its expression."""

    rewrites: Rewrites
    load: int

    @property
    def rewrite(self) -> Rewrite | None:
        """What the compiler makes of it."""
        return self.rewrites.of(self.load)


def rewrites_of(low: Lowering) -> dict[int, Rewrite]:
    """id of a load's expression -> what becomes of it; only those that are changed."""
    values = ValueNumbers(low)
    if not any(map(values.is_load, values.statements())):
        return {}
    loads = _Loads(values)
    found = {load: Rewrite(0, AGAIN) for load in loads.repeated()}
    found.update({load: Rewrite(0, UNUSED) for load in loads.unused()})
    for load, width in Merging(values).merged():
        found.setdefault(load, Rewrite(width, MERGED.format(_WORDS[width])))
    return found


_WORDS = {2: "two", 4: "four"}

_Known = dict[Number, tuple[frozenset[str], str]]
"""Place -> the variables its number hangs on, and its memory space."""


@dataclass(frozen=True)
class _Event:
    """What a statement does to what is known of memory: a "load", a "store", "anything", or it sets a variable."""

    kind: str
    place: Number = ()
    leaves: frozenset[str] = frozenset()
    space: str = ""
    load: int = 0
    """id of the load's expression."""
    name: str = ""


class _Loads:
    """One function's loads, and what may change memory between them."""

    def __init__(self, values: ValueNumbers) -> None:
        self.values = values
        self.flow = values.low.flow
        blocks = values.low.function.ir.blocks
        events = {label: [e for s in blocks[label].body for e in self._events(s)] for label in self.flow.order}
        hangs = frozenset[str]().union(*(event.leaves for block in events.values() for event in block))
        self.events = {label: [e for e in block if not e.name or e.name in hangs] for label, block in events.items()}

    def _events(self, statement: Any) -> Iterator[_Event]:
        printed = isinstance(statement, numba_ir.Assign) and statement.target.name in self.values.low.only_printed
        if self.values.is_load(statement) and not printed:
            value = statement.value
            place, leaves = self.values.element(value.value, index_of(value))
            yield _Event("load", place, leaves, self.values.space(value.value), id(value))
        elif isinstance(statement, (numba_ir.SetItem, numba_ir.StaticSetItem)):
            place, leaves = self.values.element(statement.target, index_of(statement))
            yield _Event("store", place, leaves, self.values.space(statement.target))
        elif self.values.changes_memory(statement):
            yield _Event("anything")
        if isinstance(statement, numba_ir.Assign):
            yield _Event("set", name=statement.target.name)

    # ---- repeated loads ---------------------------------------------------------------------------------------------

    def repeated(self) -> list[int]:
        """Loads of elements that the thread already has, on every path that leads there."""
        leaving: dict[int, _Known] = {}
        changed = True
        while changed:
            changed = False
            for label in self.flow.order:
                known, _ = self._through(label, self._entering(label, leaving))
                if leaving.get(label) != known:
                    leaving[label], changed = known, True
        return [load for label in self.flow.order for load in self._through(label, self._entering(label, leaving))[1]]

    def _entering(self, label: int, leaving: dict[int, _Known]) -> _Known:
        """What is known on every path; a path not yet looked at is taken to know all."""
        before = [leaving[block] for block in self.flow.predecessors[label] if block in leaving]
        if not before or label == self.flow.order[0]:
            return {}
        first, *others = before
        return {place: facts for place, facts in first.items() if all(place in other for other in others)}

    def _through(self, label: int, known: _Known) -> tuple[_Known, list[int]]:
        """What is known after a block, and its loads of what was known already."""
        known, found = dict(known), []
        for event in self.events[label]:
            if event.kind == "set":
                known = {place: facts for place, facts in known.items() if event.name not in facts[0]}
                continue
            if event.kind == "anything" or (event.kind == "store" and not event.space):
                known = {}
            elif event.kind == "store":
                known = {place: facts for place, facts in known.items() if facts[1] not in ("", event.space)}
            elif event.place in known:
                found.append(event.load)
            if event.place:
                known[event.place] = (event.leaves, event.space)
        return known, found

    # ---- unused loads -----------------------------------------------------------------------------------------------

    def unused(self) -> list[int]:
        """Loads whose value reaches no store, branch, call or return."""
        made: dict[str, list[Any]] = {}
        todo: list[str] = []
        for statement in self.values.statements():
            value = getattr(statement, "value", None)
            if isinstance(statement, numba_ir.Assign) and not self.values.changes_memory(statement):
                made.setdefault(statement.target.name, []).append(value)
            elif not isinstance(statement, numba_ir.Del):
                todo += [variable.name for variable in statement.list_vars()]
        used: set[str] = set()
        while todo:
            name = todo.pop()
            if name not in used:
                used.add(name)
                todo += [variable.name for value in made.get(name, ()) for variable in _variables(value)]
        return [id(s.value) for s in self.values.statements() if self.values.is_load(s) and s.target.name not in used]


def _variables(value: Any) -> list[Any]:
    if isinstance(value, numba_ir.Var):
        return [value]
    return list(value.list_vars()) if isinstance(value, numba_ir.Expr) else []
