"""What one step of a picture costs: sectors of global memory, wavefronts of shared memory."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod

from gpulab.trace.picture import WARP, PictureArray, PictureStep

SECTOR = 32
"""Bytes of a memory sector (CUDA C++ Best Practices Guide, "Coalesced Access to Global Memory")."""
BANKS = 32
WORD = 4
"""Bytes that a bank gives in one wavefront (CUDA C++ Programming Guide, "Shared Memory")."""


@dataclass(frozen=True)
class Traffic:
    """A step on global memory: what the lanes ask for, and the sectors that move for it."""

    lanes: int
    asked: int
    """Bytes, each lane its own element."""
    different: int
    """Bytes, each counted once."""
    sectors: tuple[int, ...]
    """Numbers of the sectors, from the start of the array's allocation, ascending."""

    @property
    def moved(self) -> int:
        """Bytes."""
        return len(self.sectors) * SECTOR

    @property
    def best(self) -> int:
        """The least sectors that could hold the different bytes."""
        return -(-self.different // SECTOR)

    @property
    def used(self) -> float:
        """Percent of what moves that somebody asked for."""
        return 100 * self.different / self.moved if self.moved else 100.0


def traffic(step: PictureStep, array: PictureArray) -> Traffic:
    """The sectors that the warp's request touches."""
    cells = [cell for cell in step.cells if cell is not None]
    sectors = {
        byte // SECTOR
        for cell in set(cells)
        for byte in (array.byte(cell), array.byte(cell) + array.itemsize - 1)
    }
    return Traffic(len(cells), len(cells) * array.itemsize, len(set(cells)) * array.itemsize, tuple(sorted(sectors)))


@dataclass(frozen=True)
class BankUse:
    """A step on shared memory: which words of which banks the lanes want, and in which wavefront each is served."""

    words: dict[int, list[int]]
    """Word of 4 bytes, from the array's first, -> lanes that want it."""
    waves: tuple[tuple[int, ...], ...]
    """Lanes served by each wavefront."""
    least: int
    """Wavefronts without any conflict."""

    @property
    def wavefronts(self) -> int:
        return len(self.waves)

    @property
    def conflicts(self) -> int:
        return self.wavefronts - self.least

    @property
    def per_bank(self) -> list[int]:
        """Lanes at each of the 32 banks."""
        lanes: list[set[int]] = [set() for _ in range(BANKS)]
        for word, who in self.words.items():
            lanes[word % BANKS].update(who)
        return [len(who) for who in lanes]

    @property
    def queues(self) -> list[int]:
        """Different words wanted of each bank."""
        queues = [0] * BANKS
        for word in self.words:
            queues[word % BANKS] += 1
        return queues


def bank_use(step: PictureStep, array: PictureArray) -> BankUse:
    """The banks that the warp's request goes to.

    A bank serves one word in a wavefront, to all lanes that want it. As many lanes go together as 128 bytes hold: half
    a warp for elements of 8 bytes, a quarter for 16.
    """
    words: dict[int, list[int]] = {}
    waves: list[tuple[int, ...]] = []
    least = 0
    together = WARP * WORD // max(WORD, array.itemsize)
    for first in range(0, WARP, together):
        served: dict[int, list[int]] = {}
        queues: dict[int, list[int]] = {}
        for lane in range(first, first + together):
            wanted = _words(step.cells[lane], array)
            for word in wanted:
                words.setdefault(word, []).append(lane)
                queue = queues.setdefault(word % BANKS, [])
                if word not in queue:
                    queue.append(word)
            if wanted:
                turn = max(queues[word % BANKS].index(word) for word in wanted)
                served.setdefault(turn, []).append(lane)
        count = max(map(len, queues.values()), default=0)
        least += bool(served)
        waves.extend(tuple(served.get(turn, ())) for turn in range(count))
    return BankUse(words, tuple(waves), least)


def _words(cell: int | None, array: PictureArray) -> list[int]:
    if cell is None:
        return []
    byte = cell * array.itemsize
    return list(range(byte // WORD, (byte + array.itemsize - 1) // WORD + 1))


def padded(step: PictureStep, array: PictureArray) -> tuple[PictureStep, PictureArray] | None:
    """The same step were the array's rows one element longer; None where it has no rows."""
    if len(array.shape) < 2 or array.space != "shared":
        return None
    shape = (*array.shape[:-1], array.shape[-1] + 1)
    strides = tuple(prod(shape[axis + 1:]) for axis in range(len(shape)))
    wider = replace(array, shape=shape, strides=strides)
    cells = tuple(None if cell is None else wider.cell(array.index(cell)) for cell in step.cells)
    return replace(step, cells=cells), wider
