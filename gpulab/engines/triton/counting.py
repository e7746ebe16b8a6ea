"""What each line costs: elements, bytes and sectors per program, lanes that a mask leaves out, repeats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from gpulab.engines.triton.space import Positions, Tensor
from gpulab.trace.counters import Count, Counters, Counting, counters_of

SECTOR = 32
_NONE = np.iinfo(np.int64).min


class Counter:
    """Counts of one launch, by line."""

    def __init__(self, what: Counting) -> None:
        self.on = bool(what)
        self.memory = what is True
        self.lines: dict[int, dict[str, Count]] = {}
        self._touched: dict[tuple[str, int], npt.NDArray[np.bool_]] = {}

    def add(self, line: int, name: str, count: Count) -> None:
        """`count` more on this line."""
        if count:
            counts = self.lines.setdefault(line, {})
            counts[name] = counts.get(name, 0) + count

    def access(self, line: int, kind: str, size: int, lanes: int, times: int,
               parts: Sequence[tuple[Tensor, Positions, npt.NDArray[Any] | None]], left_out: int) -> None:
        """A load or store (`kind`) of elements of `size` bytes: `lanes` elements in all, done `times` over.

        Each part is a tensor with the positions [programs, lanes] of one round and which of them take part.
        """
        if not self.on:
            return
        self.add(line, f"global_{kind}s", lanes * times)
        self.add(line, "masked_lanes", left_out * times)
        if not self.memory:
            return
        self.add(line, f"global_{kind}_bytes_asked", lanes * size * times)
        for tensor, positions, active in parts:
            self._sectors(line, kind, tensor, positions, active, size, times)
            self._repeats(line, kind, tensor, positions, active, size, times)

    def atomic(self, line: int, lanes: int) -> None:
        """An atomic of so many lanes."""
        if self.on:
            self.add(line, "atomics", lanes)
            self.add(line, "global_atomics", lanes)

    def _sectors(self, line: int, kind: str, tensor: Tensor, positions: Positions,
                 active: npt.NDArray[Any] | None, size: int, times: int) -> None:
        """Sectors that each program touches in this access, each counted once for it."""
        sectors = (positions + (tensor.address & 0xFFF)) // SECTOR
        if active is not None:
            sectors = np.where(active, sectors, _NONE)
        sectors = np.sort(sectors.reshape(len(sectors), -1), axis=1)
        there = sectors != _NONE
        new = there.copy()
        new[:, 1:] &= sectors[:, 1:] != sectors[:, :-1]
        touched = int(np.count_nonzero(new))
        asked = np.count_nonzero(there, axis=1) * size
        self.add(line, f"global_{kind}_requests", int(np.count_nonzero(asked)) * times)
        self.add(line, f"global_{kind}_sectors", touched * times)
        ideal = np.minimum(-(-asked // SECTOR), new.sum(axis=1))
        self.add(line, f"global_{kind}_sectors_ideal", int(ideal.sum()) * times)
        self.add(line, f"global_{kind}_bytes", touched * SECTOR * times)

    def _repeats(self, line: int, kind: str, tensor: Tensor, positions: Positions,
                 active: npt.NDArray[Any] | None, size: int, times: int) -> None:
        """Which elements this launch touches for the first time: the others are repeats."""
        key = (kind, tensor.number)
        if key not in self._touched:
            self._touched[key] = np.zeros(tensor.slots, bool)
        touched = self._touched[key]
        slots = ((positions if active is None else positions[active]) - tensor.low) // tensor.itemsize
        slots = slots.reshape(-1)
        before = int(np.count_nonzero(touched))
        touched[slots] = True
        new = int(np.count_nonzero(touched)) - before
        self.add(line, f"global_{kind}_bytes_least", new * tensor.itemsize)
        if kind == "load":
            self.add(line, "global_load_rereads", slots.size * times - new)

    def copy(self) -> Counter:
        """As it is now."""
        other = Counter(self.memory or ("lanes" if self.on else False))
        other.lines = {line: dict(counts) for line, counts in self.lines.items()}
        other._touched = {key: touched.copy() for key, touched in self._touched.items()}
        return other

    def counters(self) -> Counters:
        """The counters of the launch."""
        return counters_of(self.lines, {}, {}) if self.on else Counters()
