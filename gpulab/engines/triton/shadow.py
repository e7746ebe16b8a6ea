"""Who touched which element: programs have no order, so two that meet at one element, one of them storing, race.

Storing the value that is there already is no race with another store, as either order leaves the same. Atomics keep
each other apart, but nobody else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gpulab.engines.triton.space import Positions, Tensor

Programs = npt.NDArray[np.int32]

NOBODY = -1

READS, WRITES, UPDATES = "reads", "writes", "updates"


@dataclass(frozen=True)
class Conflict:
    """A program meets what another one did, or itself in one store. `slot` is the element's place in memory."""

    program: int
    slot: int
    other: int
    other_line: int
    other_access: str
    count: int = 1


class _Seen:
    """For each slot the first program that did it, another one, and the line of each."""

    def __init__(self, slots: int) -> None:
        self.first = np.full(slots, NOBODY, np.int32)
        self.second = np.full(slots, NOBODY, np.int32)
        self.line = np.zeros(slots, np.int32)
        self.second_line = np.zeros(slots, np.int32)
        self.empty = True

    def others(self, slots: Positions, programs: Programs) -> tuple[Programs, Programs]:
        """For each slot a program that is not the one asked for, with its line; NOBODY where there is none."""
        first, second = self.first[slots], self.second[slots]
        mine = (first == programs) | (first == NOBODY)
        other = np.where(mine, second, first)
        line = np.where(mine, self.second_line[slots], self.line[slots])
        other = np.where(other == programs, NOBODY, other)
        return other.astype(np.int32), line.astype(np.int32)

    def mark(self, slots: Positions, programs: Programs, line: int) -> None:
        """Note that these programs did it."""
        self.empty = False
        new = self.first[slots] == NOBODY
        if new.any():
            self.first[slots[new]] = programs[new]
            self.line[slots[new]] = line
        late = self.first[slots] != programs
        if late.any():
            self.second[slots[late]] = programs[late]
            self.second_line[slots[late]] = line

    def copy(self) -> _Seen:
        other = object.__new__(_Seen)
        other.first, other.second = self.first.copy(), self.second.copy()
        other.line, other.second_line = self.line.copy(), self.second_line.copy()
        other.empty = self.empty
        return other


class Shadow:
    """What was done to one tensor in this launch. Of a tensor that nobody changes, reads are only kept in a list."""

    def __init__(self, tensor: Tensor) -> None:
        self.seen = {access: _Seen(tensor.slots) for access in (READS, WRITES, UPDATES)}
        self._reads: list[tuple[Positions, Programs, int]] | None = []

    def note(self, access: str, slots: Positions, programs: Programs, line: int,
             differs: npt.NDArray[Any] | None = None) -> Conflict | None:
        """Note that `programs` did this to `slots` [lanes, both]; the first conflict, if there is one.

        `differs` marks the lanes of a store whose value is not there yet.
        """
        if self._reads is not None:
            if access == READS:
                self._reads.append((slots, programs, line))
                return None
            for read in self._reads:
                self.seen[READS].mark(*read)
            self._reads = None
        conflict = None
        for other_access in {READS: (WRITES, UPDATES), WRITES: (READS, WRITES, UPDATES),
                             UPDATES: (READS, WRITES)}[access]:
            if self.seen[other_access].empty:
                continue
            others, lines = self.seen[other_access].others(slots, programs)
            meets = others != NOBODY
            if access == other_access == WRITES and differs is not None:
                meets &= differs
            if conflict is None and meets.any():
                lane = int(np.argmax(meets))
                conflict = Conflict(int(programs[lane]), int(slots[lane]), int(others[lane]), int(lines[lane]),
                                    other_access, int(np.count_nonzero(meets)))
        self.seen[access].mark(slots, programs, line)
        return conflict

    def copy(self) -> Shadow:
        """As it is now."""
        other = object.__new__(Shadow)
        other.seen = {access: seen.copy() for access, seen in self.seen.items()}
        other._reads = None if self._reads is None else list(self._reads)
        return other


def collision(slots: Positions, programs: Programs, lost: npt.NDArray[np.bool_], line: int) -> Conflict | None:
    """Lanes of one store that wrote different values to one slot; `lost` marks those whose value is not there after."""
    if not lost.any():
        return None
    lane = int(np.argmax(lost))
    rivals = np.flatnonzero((slots == slots[lane]) & ~lost)
    other = int(programs[rivals[-1]]) if len(rivals) else int(programs[lane])
    return Conflict(int(programs[lane]), int(slots[lane]), other, line, WRITES, int(np.count_nonzero(lost)))
