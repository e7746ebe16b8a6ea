"""What one executed load, store or atomic makes a GPU's memory do: requests, sectors, wavefronts.

Everything is computed for all warps of a batch at once, from a table of 32 lanes a row.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gpulab.engines.simt.geometry import Geometry
from gpulab.engines.simt.lanes import WARP, Mask
from gpulab.engines.simt.memory import ArrayView

Table = npt.NDArray[Any]

SECTOR = 32
"""Bytes of a memory sector (CUDA C++ Best Practices Guide, "Coalesced Access to Global Memory")."""

WORD = 4
"""Bytes a bank of shared memory gives in a wavefront (CUDA C++ Programming Guide, "Shared Memory")."""

IDLE = -1
"""In a table of cells: no active lane."""


class Global(NamedTuple):
    """One executed access to global memory, all warps together."""

    requests: int
    sectors: int
    ideal: int
    """The least sectors that could hold the bytes each request asks for."""


class Shared(NamedTuple):
    """One executed access to shared memory, all warps together."""

    requests: int
    wavefronts: int
    least: int
    """Wavefronts without any bank conflict: one for each part of a warp that goes at once and has an active lane."""


def warp_table(geometry: Geometry, values: Table, idle: int, mask: Mask) -> Table:
    """`values` [lanes] as [warps, 32], with `idle` where no active lane is."""
    bits = mask.bits
    if geometry.warp_rows * WARP == geometry.count:
        whole = values if bits is None else np.where(bits, values, values.dtype.type(idle))
        return whole.reshape(-1, WARP)
    table = np.full(geometry.warp_rows * WARP, idle, values.dtype)
    if bits is None:
        table[geometry.warp_row] = values
    else:
        table[geometry.warp_row[bits]] = values[bits]
    return table.reshape(-1, WARP)


def warps(geometry: Geometry, mask: Mask) -> int:
    """How many warps have a lane in `mask`."""
    if mask.full:
        return geometry.warp_rows
    if mask.warps is None:
        mask.warps = _groups(geometry, mask, WARP)
    return mask.warps


def _groups(geometry: Geometry, mask: Mask, width: int) -> int:
    """How many runs of `width` lanes within a warp have a lane in `mask`."""
    if mask.full and geometry.warp_rows * WARP == geometry.count:
        return geometry.count // width
    active = warp_table(geometry, np.ones(geometry.count, np.bool_), False, mask)
    return int(np.count_nonzero(active.reshape(-1, width).any(axis=1)))


def in_global(geometry: Geometry, view: ArrayView, offsets: Any, mask: Mask, width: int = 1) -> Global:
    """A load or store of `width` neighbouring cells at `offsets`: one number for all lanes, or [lanes]."""
    item = view.memory.cells.itemsize * width
    if not isinstance(offsets, np.ndarray):
        requests = warps(geometry, mask)
        sectors = requests * max(1, item // SECTOR)
        return Global(requests, sectors, sectors)
    table = _ascending(warp_table(geometry, offsets, IDLE, mask))
    active = table >= 0
    new = _new_in_row(table, active)
    distinct = np.count_nonzero(new, axis=1)
    ideal = int((-(-distinct * item // SECTOR)).sum())
    first = view.memory.first_byte
    sector = table >> _log2(SECTOR // item) if not first % SECTOR else (table * item + first) >> 5
    if first % SECTOR:
        sector[~active] = IDLE  # else it would lie in the first sector of the view, beside the first lane that is on
    sectors = int(np.count_nonzero(_new_in_row(sector, active)))
    return Global(int(np.count_nonzero(distinct)), sectors, ideal)


def in_shared(geometry: Geometry, view: ArrayView, offsets: Any, mask: Mask, width: int = 1) -> Shared:
    """A load or store of `width` neighbouring cells at `offsets`: one number for all lanes, or [lanes].

    Elements of 8 bytes go by half warps and those of 16 by quarter warps (CUDA C++ Programming Guide, "Shared Memory"
    of compute capability 5.x and later): 32 banks of 4 bytes give 128 bytes at once. Lanes of one word share it.
    """
    size = view.memory.cells.itemsize * width
    together = WARP // max(1, size // WORD)
    requests = warps(geometry, mask)
    least = requests if together == WARP else _groups(geometry, mask, together)
    if not isinstance(offsets, np.ndarray):
        return Shared(requests, least, least)
    words = _words(view, offsets, width)
    cells = warp_table(geometry, words, IDLE, mask).reshape(-1, together)
    return Shared(requests, least + _replays(cells), least)


def conflicts(geometry: Geometry, offsets: Any, mask: Mask) -> int:
    """Lanes that update a cell which another lane of their warp updates too, the first of each cell not counted."""
    if not isinstance(offsets, np.ndarray):
        return mask.count - warps(geometry, mask)
    table = _ascending(warp_table(geometry, offsets, IDLE, mask))
    return mask.count - int(np.count_nonzero(_new_in_row(table, table >= 0)))


def _ascending(table: Table) -> Table:
    """The rows in ascending order; they mostly are."""
    return table if (table[:, 1:] >= table[:, :-1]).all() else np.sort(table, axis=1)


def _new_in_row(table: Table, active: Table) -> Table:
    """[rows, 32] where an ascending row has an active value for the first time."""
    new = active.copy()
    new[:, 1:] &= table[:, 1:] != table[:, :-1]
    return new


def _words(view: ArrayView, offsets: Table, width: int) -> Table:
    """Which word of its width each lane asks for; an array begins at a multiple of 16 bytes in its block."""
    item = view.memory.cells.itemsize
    if item < WORD:
        words: Table = ((offsets - view.slot) * item) >> 2
        return words
    return offsets if width == 1 else (offsets - view.slot) // width


def _replays(cells: Table) -> int:
    """Wavefronts beyond the first of each row: the most different words of one bank, less one, over all rows."""
    banks = cells.shape[1]
    flat = cells.reshape(-1)
    lanes = np.arange(len(flat))
    if flat.min() < 0:
        lanes = np.flatnonzero(flat >= 0)
        flat = flat[lanes]
    place = (lanes & -banks) | (flat & (banks - 1))
    owner = np.empty(cells.size, flat.dtype)
    owner[place] = flat
    waits = owner[place] != flat
    if not waits.any():
        return 0
    crowded = np.zeros(len(cells), np.bool_)
    crowded[lanes[waits] // banks] = True
    return int((_most_in_a_bank(cells[crowded]) - 1).sum())


def _most_in_a_bank(cells: Table) -> npt.NDArray[np.int64]:
    """[rows] the most different words that one bank of the row has to give."""
    banks = cells.shape[1]
    key = np.where(cells < 0, np.int64(IDLE), ((cells & (banks - 1)) << 48) | cells)
    key = np.sort(key, axis=1)
    bank = key >> 48
    new = np.ones(key.shape, np.int64)
    new[:, 1:] = key[:, 1:] != key[:, :-1]
    new[key < 0] = 0
    so_far = np.cumsum(new, axis=1)
    begins = np.ones(key.shape, np.bool_)
    begins[:, 1:] = bank[:, 1:] != bank[:, :-1]
    before = np.maximum.accumulate(np.where(begins, so_far - new, 0), axis=1)
    most: npt.NDArray[np.int64] = (so_far - before).max(axis=1)
    return most


def _log2(power: int) -> int:
    return max(0, power.bit_length() - 1)
