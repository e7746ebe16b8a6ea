"""Keeping the values of a small launch: who wrote each element, and what from."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gpulab.engines.simt.lanes import Mask
from gpulab.engines.simt.memory import ArrayView, at
from gpulab.engines.simt.outcomes import plain_value
from gpulab.trace import Operand, ValueTrace, Write

MOST_ACCESSES = 400_000
MOST_OPERANDS = 16


@dataclass(frozen=True)
class _Access:
    store: bool
    line: int
    view: ArrayView
    offset: Any
    value: Any
    lanes: Any
    positions: Any
    sites: Any


class Recorder:
    """Listens to a `Context`. Beyond `MOST_ACCESSES` it stops and there is no trace."""

    def __init__(self, feeds: dict[int, frozenset[int]]) -> None:
        self.feeds = feeds
        self._accesses: list[_Access] = []
        self._left = MOST_ACCESSES

    def load(self, context: Any, line: int, view: ArrayView, offset: Any, value: Any, mask: Mask) -> None:
        self._keep(context, False, line, view, offset, value, mask)

    def store(self, context: Any, line: int, view: ArrayView, offset: Any, value: Any, mask: Mask) -> None:
        """After the store; `value` None (an atomic) means what the cell holds now."""
        if value is None:
            value = (
                view.memory.cells.take(offset, mode="clip")
                if isinstance(offset, np.ndarray)
                else view.memory.cells[offset]
            )
        self._keep(context, True, line, view, offset, value, mask)

    def barrier(self, context: Any, line: int, mask: Mask) -> None:
        pass

    def _keep(self, context: Any, store: bool, line: int, view: ArrayView, offset: Any, value: Any, mask: Mask) -> None:
        self._left -= mask.count
        if self._left >= 0:
            geometry = context.geometry
            positions = mask.lanes(geometry.count)
            self._accesses.append(
                _Access(store, line, view, offset, value, geometry.lane[positions], positions, geometry.site)
            )

    def trace(self) -> ValueTrace | None:
        """The stores to global memory in order, each with the loads that fed it and who wrote those."""
        if self._left < 0:
            return None
        trace = ValueTrace()
        latest: dict[tuple[int, int], Write] = {}
        loads: defaultdict[int, list[Operand]] = defaultdict(list)
        for access in self._accesses:
            for lane, position in zip(access.lanes.tolist(), access.positions.tolist(), strict=True):
                cell = int(at(access.offset, position))
                value = plain_value(np.asarray(at(access.value, position))[()])
                index = access.view.index_of(cell, position)
                key = (id(access.view.memory), cell)
                if access.store:
                    write = self._write(access, index, value, lane, loads)
                    latest[key] = write
                    if access.view.memory.space == "global":
                        trace.writes.setdefault((access.view.name, index), []).append(write)
                else:
                    known = latest.get(key)
                    loads[lane].append(
                        Operand(
                            access.view.name,
                            index,
                            value,
                            access.line,
                            access.view.memory.space,
                            known and _shallow(known),
                        )
                    )
        return trace

    def _write(self, access: _Access, index: tuple[int, ...], value: Any, lane: int, loads: Any) -> Write:
        block, thread = access.sites(lane)
        feeding = self.feeds.get(access.line, frozenset())
        operands = [operand for operand in loads[lane] if operand.line in feeding]
        loads[lane] = [
            operand for operand in loads[lane] if operand.line not in feeding or access.view.memory.space != "global"
        ]
        return Write(access.view.name, index, value, access.line, block, thread, tuple(operands[-MOST_OPERANDS:]))


def _shallow(write: Write) -> Write:
    """A write as the origin of an operand: its own operands, without where those came from."""
    return replace(write, operands=tuple(replace(operand, written_by=None) for operand in write.operands))
