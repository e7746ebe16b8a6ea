"""Races by shadow cells: for each cell who wrote, read and updated it last, and when.

Times are the numbers of the launch's accesses. Two accesses to a cell conflict when different lanes made them,
at least one writes (or one is an atomic and the other is not, nor a guess that an atomic checks), and nothing orders
them: no barrier of their block, no warp-level sync of their warp, no fence-and-atomic chain between their blocks has
happened since the earlier one. A `syncwarp` that names a part of the warp orders the lanes it names (`lane_clocks`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gpulab.engines.simt.clocks import Clocks, Ints
from gpulab.engines.simt.geometry import Geometry
from gpulab.engines.simt.lanes import WARP, Mask

_FOLD_AFTER = 64
_MOST_CELLS_BY_LANE = 2**18
"""Cells of a memory that may have a slot for each lane of a warp: 64 MiB of them."""

_READERS = ("first reader", "last reader")
_GUESSERS = ("first guesser", "last guesser")
"""Slots of the least and the greatest lane that read a cell; a guess (see `guesses`) conflicts with plain stores only.
"""


@dataclass(frozen=True)
class Conflict:
    """Two unordered accesses to one cell. `count` lanes show it."""

    cell: int
    lane: int
    other_lane: int
    other_line: int
    other_access: str
    count: int


class Shadow:
    """The shadow cells of one memory. Lane and time arrays are int32 [cells], allocated when first needed."""

    def __init__(self, cells: int, clocks: Clocks, across_blocks: bool) -> None:
        self.cells = cells
        self.clocks = clocks
        self.across_blocks = across_blocks
        self._slots: dict[str, tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]] = {}
        self._last = {"writes": 0, "updates": 0}
        self._several_wrote = False
        self._unfolded: list[tuple[int, Any, Mask, tuple[str, str]]] = []
        self._unfolded_lanes: list[npt.NDArray[np.int64]] = []
        self._by_lane = clocks.lanes is not None and cells <= _MOST_CELLS_BY_LANE
        """Whether to know the last access of each lane of a warp, as parts of warps may be ordered apart."""

    def _slot(self, name: str) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        if name not in self._slots:
            self._slots[name] = (np.zeros(self.cells, np.int32), np.zeros(self.cells, np.int32))
        return self._slots[name]

    def _relevant(self, access: str) -> bool:
        """Whether any access of this kind may still conflict."""
        last = self._last[access]
        return last > 0 and (self.across_blocks or last > self.clocks.everyones_barrier)

    def load(self, geometry: Geometry, time: int, offsets: Any, mask: Mask, guess: bool = False) -> Conflict | None:
        conflict = None
        if self._relevant("writes") or (self._relevant("updates") and not guess):
            cells, lanes = _active(geometry, offsets, mask)
            conflict = self._against("writes", cells, lanes)
            if conflict is None and not guess:
                conflict = self._against("updates", cells, lanes)
        self._unfolded.append((time, offsets, mask, _GUESSERS if guess else _READERS))
        self._unfolded_lanes.append(geometry.lane)
        if len(self._unfolded) > _FOLD_AFTER:
            self._drop_old_reads()
            if len(self._unfolded) > _FOLD_AFTER:
                self._fold()
        return conflict

    def _against(self, access: str, cells: Ints, lanes: Ints, changed: Any = None) -> Conflict | None:
        if not self._relevant(access):
            return None
        conflict = self._conflict(self._slot(access), access, cells, lanes, changed)
        if conflict is None and access == "writes" and self._several_wrote:
            conflict = self._conflict(self._slot("first writer"), access, cells, lanes, changed)
        if conflict is None and access == "updates":
            conflict = self._conflict(self._slot("first updater"), access, cells, lanes, changed)
            conflict = conflict or self._against_each_lane("last updater", access, cells, lanes, changed)
        return conflict

    def _against_reads(self, names: tuple[str, str], cells: Ints, lanes: Ints, changed: Any = None) -> Conflict | None:
        slots = (self._slots[name] for name in names if name in self._slots)
        found = (self._conflict(slot, "reads", cells, lanes, changed) for slot in slots)
        conflict = next((conflict for conflict in found if conflict is not None), None)
        return conflict or self._against_each_lane(names[1], "reads", cells, lanes, changed)

    def _against_each_lane(
        self, name: str, access: str, cells: Ints, lanes: Ints, changed: Any = None
    ) -> Conflict | None:
        slot = self._slots.get(_by_lane(name))
        if slot is None:
            return None
        places = (cells[:, None] * WARP + np.arange(WARP)).reshape(-1)
        repeated = None if changed is None else np.repeat(changed, WARP)
        return self._conflict(slot, access, np.repeat(cells, WARP), np.repeat(lanes, WARP), repeated, places)

    def _conflict(
        self, slot: Any, access: str, cells: Ints, lanes: Ints, changed: Any = None, places: Any = None
    ) -> Conflict | None:
        """The first of `lanes` whose cell's earlier access, at `places` of the slot, nothing orders before it."""
        places = cells if places is None else places
        earlier_lane, earlier_time = slot[0][places], slot[1][places]
        suspects = (earlier_lane != lanes) & (earlier_time > 0)
        if changed is not None:
            suspects &= changed
        if not self.across_blocks:
            suspects &= earlier_time > self.clocks.everyones_barrier
        where = np.flatnonzero(suspects)
        if not len(where):
            return None
        bad = self.clocks.unordered(
            earlier_lane[where].astype(np.int64), earlier_time[where].astype(np.int64), lanes[where]
        )
        where = where[bad]
        if not len(where):
            return None
        far = lanes[where] // 32 != earlier_lane[where] // 32
        first = where[int(np.argmax(far))]  # two warps make the plainer story
        return Conflict(
            int(cells[first]),
            int(lanes[first]),
            int(earlier_lane[first]),
            self.clocks.lines[int(earlier_time[first])],
            access,
            len(np.unique(cells[where])),
        )

    def store(self, geometry: Geometry, time: int, offsets: Any, mask: Mask, changed: Any, old: Any) -> Conflict | None:
        """Before the store. `changed` [active lanes] says whose value differs from what the cell holds.

        Writing the value that is there anyway races with nobody's write (any order leaves the same), but still
        with readers' order.
        """
        self._fold()
        cells, lanes = _active(geometry, offsets, mask)
        conflict = (
            self._against_reads(_READERS, cells, lanes, changed)
            or self._against_reads(_GUESSERS, cells, lanes, changed)
            or self._against("writes", cells, lanes, changed)
            or self._against("updates", cells, lanes, changed)
        )
        lane_slot, time_slot = self._slot("writes")
        lane_slot[cells] = lanes
        time_slot[cells] = time
        self._last["writes"] = time
        self._note_several(cells, lanes, time, lane_slot[cells] != lanes)
        return conflict

    def _note_several(self, cells: Ints, lanes: Ints, time: int, beaten: npt.NDArray[np.bool_]) -> None:
        """Of lanes that store one value into one cell the last is known already: know the first, too.

        Else what the last one does next would conflict with nobody, though it does with all the others.
        """
        if not beaten.any():
            return
        self._several_wrote = True
        lane_slot, time_slot = self._slot("first writer")
        lane_slot[cells[beaten][::-1]] = lanes[beaten][::-1]
        time_slot[cells[beaten]] = time

    def clash(self, geometry: Geometry, offsets: Any, mask: Mask, line: int, lost: Any) -> Conflict | None:
        """After a store: lanes of this very store whose value was overwritten by another lane's, different one.

        `lost` [active lanes] says whose value is not what the cell now holds.
        """
        if not lost.any():
            return None
        cells, lanes = _active(geometry, offsets, mask)
        where = np.flatnonzero(lost)
        winners = self._slot("writes")[0][cells[where]]
        first = where[0]
        return Conflict(
            int(cells[first]), int(winners[0]), int(lanes[first]), line, "writes", len(np.unique(cells[where]))
        )

    def update(self, geometry: Geometry, time: int, offsets: Any, mask: Mask) -> Conflict | None:
        """An atomic: conflicts with plain accesses only, and not with guesses."""
        self._fold()
        cells, lanes = _active(geometry, offsets, mask)
        conflict = self._against_reads(_READERS, cells, lanes) or self._against("writes", cells, lanes)
        self._fold_one("first updater", time, cells[::-1], lanes[::-1], least=True)
        self._fold_one("updates", time, cells, lanes, least=False)
        if self._by_lane:
            self._note_each_lane("last updater", time, cells, lanes)
        self._last["updates"] = time
        return conflict

    def _drop_old_reads(self) -> None:
        if not self.across_blocks:
            keep = [i for i, (time, *_) in enumerate(self._unfolded) if time > self.clocks.everyones_barrier]
            self._unfolded = [self._unfolded[i] for i in keep]
            self._unfolded_lanes = [self._unfolded_lanes[i] for i in keep]

    def _fold(self) -> None:
        """Write pending reads into the slots of the least and the greatest reading lane of each cell."""
        if not self._unfolded:
            return
        self._drop_old_reads()
        for read, lane_numbers in zip(self._unfolded, self._unfolded_lanes, strict=True):
            time, offsets, mask, (first, last) = read
            cells, lanes = _take_active(lane_numbers, offsets, mask)
            self._fold_one(first, time, cells[::-1], lanes[::-1], least=True)
            self._fold_one(last, time, cells, lanes, least=False)
            if self._by_lane:
                self._note_each_lane(last, time, cells, lanes)
        self._unfolded.clear()
        self._unfolded_lanes.clear()

    def _fold_one(self, name: str, time: int, cells: Ints, lanes: Ints, least: bool) -> None:
        lane_slot, time_slot = self._slot(name)
        known, since = lane_slot[cells], time_slot[cells]
        block, known_block = lanes // self.clocks.threads, known // self.clocks.threads
        stale = (since == 0) | ((block == known_block) & (since <= self.clocks.barrier[block]))
        if self.clocks.warp_sync is not None:  # of a warp all lanes have what came before its last sync behind them
            threads = self.clocks.threads
            warp = block * self.clocks.warps_per_block + lanes % threads // WARP
            known_warp = known_block * self.clocks.warps_per_block + known % threads // WARP
            stale |= (warp == known_warp) & (since <= self.clocks.warp_sync[warp])
        replace = stale | ((lanes < known) if least else (lanes > known)) | (lanes == known)
        lane_slot[cells] = np.where(replace, lanes, known)
        time_slot[cells] = np.where(replace, time, since)

    def _note_each_lane(self, name: str, time: int, cells: Ints, lanes: Ints) -> None:
        key = _by_lane(name)
        if key not in self._slots:
            self._slots[key] = (np.zeros(self.cells * WARP, np.int32), np.zeros(self.cells * WARP, np.int32))
        places = cells * WARP + lanes % self.clocks.threads % WARP
        self._slots[key][0][places], self._slots[key][1][places] = lanes, time


def _by_lane(name: str) -> str:
    return f"{name}, by lane"


def _active(geometry: Geometry, offsets: Any, mask: Mask) -> tuple[Ints, Ints]:
    return _take_active(geometry.lane, offsets, mask)


def _take_active(lane_numbers: Ints, offsets: Any, mask: Mask) -> tuple[Ints, Ints]:
    """Cells and grid-wide lane numbers of the active lanes, both [active]."""
    bits = mask.bits
    lanes = lane_numbers if bits is None else lane_numbers[bits]
    if not isinstance(offsets, np.ndarray):
        return np.full(len(lanes), int(offsets), np.int64), lanes
    return (offsets if bits is None else offsets[bits]), lanes
