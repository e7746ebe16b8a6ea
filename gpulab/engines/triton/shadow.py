"""Who touched which element: programs have no order, so two that meet at one element, one of them storing, race.

Storing the value that is there already is no race with another store, as either order leaves the same. Atomics keep
each other apart. They also order what lies around them, if the program has waited for its own threads: what program p
did before a `tl.debug_barrier()` and an atomic on one number lies before what program q does after an atomic on that
number which came later (`Order`). That is how a last program adds up what the others left, and how a lock works.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gpulab.engines.triton.space import Positions, Tensor

Programs = npt.NDArray[np.int32]
Lanes = npt.NDArray[np.int32]
"""For each lane of an access its number within its program's block."""

NOBODY = -1

READS, WRITES, UPDATES = "reads", "writes", "updates"

MEETS = {READS: (WRITES, UPDATES), WRITES: (READS, WRITES, UPDATES), UPDATES: (READS, WRITES)}
"""With what an access may collide."""


@dataclass(frozen=True)
class Conflict:
    """A program meets what another one did, or itself in one store. `slot` is the element's place in memory."""

    program: int
    slot: int
    other: int
    other_line: int
    other_access: str
    count: int = 1


class Order:
    """What atomics have put in order. An epoch is the stretch of a program between two of its barriers."""

    def __init__(self, programs: int) -> None:
        self.epochs = np.zeros(programs, np.int32)
        self._known: dict[int, Programs] = {}
        """Program -> for each other one the epoch that it had reached when this one last heard of it."""
        self._left: dict[tuple[int, int], Programs] = {}
        """(Tensor, slot) of an atomic -> the same, as its next user will know it."""

    def barrier(self, programs: Programs) -> None:
        """All threads of these programs have done what lies before."""
        self.epochs[programs] += 1

    def meet(self, tensor: int, slots: Positions, programs: Programs) -> None:
        """These programs, one after another, do an atomic on these slots."""
        for slot, program in zip(slots.tolist(), programs.tolist(), strict=True):
            left = self._left.setdefault((tensor, slot), np.zeros_like(self.epochs))
            known = self._known.setdefault(program, np.zeros_like(self.epochs))
            np.maximum(known, left, out=known)
            np.maximum(left, known, out=left)
            left[program] = self.epochs[program]

    def before(self, others: Programs, epochs: Programs, programs: Programs) -> npt.NDArray[np.bool_]:
        """Whether what each of `others` did in its epoch lies before what the program beside it does now."""
        if not self._known:
            return np.zeros(len(programs), bool)
        answer = np.zeros(len(programs), bool)
        for program in np.unique(programs).tolist():
            known = self._known.get(program)
            if known is not None:
                mine = programs == program
                answer[mine] = known[others[mine]] > epochs[mine]
        return answer

    def copy(self) -> Order:
        """As it is now."""
        other = Order(0)
        other.epochs = self.epochs.copy()
        other._known = {program: known.copy() for program, known in self._known.items()}
        other._left = {place: left.copy() for place, left in self._left.items()}
        return other


_KEPT = ("first", "second", "line", "second_line", "epoch", "second_epoch", "lane")


class _Seen:
    """For each slot the first program that did it, another one, and of each the line and the epoch."""

    def __init__(self, slots: int) -> None:
        self.first, self.second = (np.full(slots, NOBODY, np.int32) for _ in range(2))
        self.line, self.second_line, self.epoch, self.second_epoch, self.lane = (
            np.zeros(slots, np.int32) for _ in range(5))
        self.empty = True

    def others(self, slots: Positions, programs: Programs) -> tuple[Programs, Programs, Programs]:
        """For each slot a program that is not the one asked for, its line and epoch; NOBODY where there is none."""
        first = self.first[slots]
        mine = (first == programs) | (first == NOBODY)
        other = np.where(mine, self.second[slots], first)
        line = np.where(mine, self.second_line[slots], self.line[slots])
        epoch = np.where(mine, self.second_epoch[slots], self.epoch[slots])
        return np.where(other == programs, NOBODY, other).astype(np.int32), line, epoch

    def mark(self, slots: Positions, programs: Programs, line: int, epochs: Programs, lanes: Lanes) -> None:
        """Note that these programs did it."""
        self.empty = False
        new = (self.first[slots] == NOBODY) | (self.first[slots] == programs)
        if new.any():
            at = slots[new]
            self.first[at], self.line[at], self.epoch[at], self.lane[at] = programs[new], line, epochs[new], lanes[new]
        late = self.first[slots] != programs
        if late.any():
            at = slots[late]
            self.second[at], self.second_line[at], self.second_epoch[at] = programs[late], line, epochs[late]

    def copy(self) -> _Seen:
        other = object.__new__(_Seen)
        for name in _KEPT:
            setattr(other, name, getattr(self, name).copy())
        other.empty = self.empty
        return other


class Shadow:
    """What was done to one tensor in this launch. Of a tensor that nobody changes, reads are only kept in a list."""

    def __init__(self, tensor: Tensor) -> None:
        self.seen = {access: _Seen(tensor.slots) for access in MEETS}
        self._reads: list[tuple[Positions, Programs, int, Programs, Lanes]] | None = []

    def note(self, access: str, slots: Positions, programs: Programs, line: int, lanes: Lanes, order: Order,
             differs: npt.NDArray[Any] | None = None) -> Conflict | None:
        """Note that `programs` did this to `slots` [lanes, both]; the first conflict, if there is one.

        `differs` marks the lanes of a store whose value is not there yet.
        """
        epochs = order.epochs[programs]
        if self._reads is not None:
            if access == READS:
                self._reads.append((slots, programs, line, epochs, lanes))
                return None
            for read in self._reads:
                self.seen[READS].mark(*read)
            self._reads = None
        conflict = self._conflict(access, slots, programs, order, differs)
        self.seen[access].mark(slots, programs, line, epochs, lanes)
        return conflict

    def _conflict(self, access: str, slots: Positions, programs: Programs, order: Order,
                  differs: npt.NDArray[Any] | None) -> Conflict | None:
        for other_access in MEETS[access]:
            if self.seen[other_access].empty:
                continue
            others, lines, epochs = self.seen[other_access].others(slots, programs)
            meets = others != NOBODY
            if access == other_access == WRITES and differs is not None:
                meets &= differs
            if meets.any():
                meets &= ~order.before(others, epochs, programs)
            if meets.any():
                lane = int(np.argmax(meets))
                return Conflict(int(programs[lane]), int(slots[lane]), int(others[lane]), int(lines[lane]),
                                other_access, int(np.count_nonzero(meets)))
        return None

    def reloaded(self, slots: Positions, programs: Programs, lanes: Lanes, order: Order) -> tuple[int, int] | None:
        """(slot, line of the store) where a program reads what another of its own lanes has stored since its last
        barrier: on a GPU that may be another thread, which need not have stored yet."""
        stores = self.seen[WRITES]
        if stores.empty:
            return None
        other = (stores.first[slots] == programs) & (stores.lane[slots] != lanes)
        other &= stores.epoch[slots] == order.epochs[programs]
        if not other.any():
            return None
        slot = int(slots[int(np.argmax(other))])
        return slot, int(stores.line[slot])

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
