"""Keeping the accesses of a small launch, to tell who wrote an element, and what from."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np

from gpulab.engines.simt.lanes import Mask
from gpulab.engines.simt.memory import ArrayView, Memory, at
from gpulab.engines.simt.outcomes import plain_value
from gpulab.trace import Element, Operand, ValueTrace, Write

MOST_ACCESSES = 4_000_000
"""Lanes times accesses that are kept; beyond it there is no trace."""
MOST_STEPS = 30_000
"""Elements times accesses that are searched where all elements are asked for."""
MOST_OPERANDS = 16


@dataclass(frozen=True)
class _Access:
    """One executed load or store. `lanes` [active] are numbers in the grid, ascending within each block."""

    store: bool
    line: int
    view: ArrayView
    offset: Any
    value: Any
    lanes: Any
    positions: Any
    sites: Any

    def position_of(self, lane: int) -> int | None:
        """Where in the batch the lane is, if it took part."""
        found = np.flatnonzero(self.lanes == lane)
        return int(self.positions[found[0]]) if len(found) else None

    def writers_of(self, cell: int) -> list[tuple[int, int]]:
        """(lane, position) of those that touched the cell; the last of them left its value."""
        cells = self.offset[self.positions] if isinstance(self.offset, np.ndarray) else None
        found = (
            np.flatnonzero(cells == cell)
            if cells is not None
            else (np.arange(len(self.lanes)) if self.offset == cell else np.empty(0, int))
        )
        return [(int(self.lanes[i]), int(self.positions[i])) for i in found]

    def shown(self, position: int) -> Any:
        return plain_value(np.asarray(at(self.value, position))[()])


class Recorder:
    """Listens to a `Context`."""

    def __init__(self, feeds: dict[int, frozenset[int]]) -> None:
        self.feeds = feeds
        self._accesses: list[_Access] = []
        self._left = MOST_ACCESSES

    def load(self, context: Any, line: int, view: ArrayView, offset: Any, value: Any, mask: Mask) -> None:
        self._keep(context, False, line, view, offset, value, mask)

    def store(self, context: Any, line: int, view: ArrayView, offset: Any, value: Any, mask: Mask) -> None:
        """After the store; `value` None (an atomic) means what the cell holds now."""
        if value is None:
            cells = view.memory.cells
            value = cells.take(offset, mode="clip") if isinstance(offset, np.ndarray) else cells[offset]
        self._keep(context, True, line, view, offset, value, mask)

    def barrier(self, context: Any, line: int, mask: Mask) -> None:
        pass

    def passed(self, line: int, threads: Any) -> None:
        pass

    def outside(self, *access: Any) -> None:
        pass

    def _keep(self, context: Any, store: bool, line: int, view: ArrayView, offset: Any, value: Any, mask: Mask) -> None:
        self._left -= mask.count
        if self._left >= 0:
            geometry = context.geometry
            positions = mask.lanes(geometry.count)
            lanes = geometry.lane[positions]
            self._accesses.append(_Access(store, line, view, offset, value, lanes, positions, geometry.site))

    def trace(self, views: dict[str, ArrayView], wanted: bool | Collection[Element]) -> ValueTrace | None:
        """The stores to the wanted global elements in order (True: to all, within `MOST_STEPS`)."""
        if self._left < 0:
            return None
        elements = self._stored_elements() if isinstance(wanted, bool) else list(wanted)
        trace = ValueTrace()
        for name, index in elements:
            writes = self._writes(views[name], index) if name in views else []
            if writes:
                trace.writes[(name, index)] = writes
        return trace

    def _stored_elements(self) -> list[Element]:
        """Elements of global memory in the order they were first stored to."""
        found: dict[Element, None] = {}
        for access in self._accesses:
            if access.store and access.view.memory.space == "global":
                for position in access.positions:
                    cell = int(at(access.offset, position))
                    found[(access.view.name, access.view.index_of(cell, int(position)))] = None
                    if len(found) * len(self._accesses) >= MOST_STEPS:
                        return list(found)
        return list(found)

    def _writes(self, view: ArrayView, index: tuple[int, ...]) -> list[Write]:
        cell = int(at(view.base, 0)) + sum(i * stride for i, stride in zip(index, view.strides, strict=True))
        return [
            self._write(when, lane, position)
            for when, access in enumerate(self._accesses)
            if access.store and access.view.memory is view.memory
            for lane, position in access.writers_of(cell)
        ]

    def _write(self, when: int, lane: int, position: int, depth: int = 2) -> Write:
        access = self._accesses[when]
        block, thread = access.sites(lane)
        index = access.view.index_of(int(at(access.offset, position)), position)
        operands = self._operands(when, lane, depth) if depth else ()
        return Write(access.view.name, index, access.shown(position), access.line, block, thread, operands)

    def _operands(self, when: int, lane: int, depth: int) -> tuple[Operand, ...]:
        """The lane's loads that fed the store: those on feeding lines since it last stored there, newest kept."""
        feeding = self.feeds.get(self._accesses[when].line, frozenset())
        line, operands = self._accesses[when].line, []
        for earlier in range(when - 1, -1, -1):
            access = self._accesses[earlier]
            position = access.position_of(lane)
            if position is None:
                continue
            if access.store and access.line == line:
                break
            if not access.store and access.line in feeding:
                operands.append(self._operand(earlier, position, depth))
                if len(operands) == MOST_OPERANDS:
                    break
        return tuple(reversed(operands))

    def _operand(self, when: int, position: int, depth: int) -> Operand:
        access = self._accesses[when]
        cell = int(at(access.offset, position))
        origin = self._last_write(when, access.view.memory, cell, depth - 1)
        return Operand(
            access.view.name,
            access.view.index_of(cell, position),
            access.shown(position),
            access.line,
            access.view.memory.space,
            origin,
        )

    def _last_write(self, when: int, memory: Memory, cell: int, depth: int) -> Write | None:
        for earlier in range(when - 1, -1, -1):
            access = self._accesses[earlier]
            if access.store and access.view.memory is memory:
                writers = access.writers_of(cell)
                if writers:
                    return self._write(earlier, *writers[-1], depth)
        return None
