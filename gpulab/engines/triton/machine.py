"""What the programs of one batch do to memory: loads, stores and atomics, judged and counted as they happen.

Values have an axis of programs in front; where all programs agree it may have length 1.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from gpulab.engines.triton.counting import Counter
from gpulab.engines.triton.errors import TimeLimit
from gpulab.engines.triton.findings import Findings
from gpulab.engines.triton.numbers import STORED, Values, bits_of, from_bits
from gpulab.engines.triton.shadow import READS, UPDATES, WRITES, Lanes, Order, Shadow, collision
from gpulab.engines.triton.space import Mask, Positions, Space, Tensor
from gpulab.trace import Coordinates, Element, ValueTrace, Write
from gpulab.trace.coordinates import NO_THREAD

Part = tuple[Tensor, Positions, "Mask | None"]


@dataclass
class Machine:
    """The state of one launch, and the batch of programs that runs now."""

    space: Space
    grid: Coordinates
    file: str
    """The learner's: lines are told of it alone."""
    findings: Findings
    counter: Counter
    look: bool = True
    """Whether faults are looked for."""
    deadline: float = float("inf")
    fill: float = 0.0
    """What lanes that a mask leaves out get, where the load says nothing: a GPU's registers hold 0 there."""
    filled: frozenset[int] | None = None
    """The lines whose loads get it; None for all, others get 0."""
    wanted: Collection[Element] = ()
    programs: npt.NDArray[np.int32] = field(default_factory=lambda: np.zeros(1, np.int32))
    """Numbers of the programs of this batch, in their order."""
    shadows: dict[int, Shadow] = field(default_factory=dict)
    order: Order = field(init=False)
    left_open: dict[int, int] = field(default_factory=dict)
    """Line -> lanes that a mask left out of a load without `other`."""
    leaks: bool = False
    """Whether one of those lanes may have come to count."""
    values: ValueTrace = field(default_factory=ValueTrace)

    def __post_init__(self) -> None:
        self.order = Order(self.grid[0] * self.grid[1] * self.grid[2])

    def barrier(self) -> None:
        """Every program's threads have waited for each other."""
        if self.look:
            self.order.barrier(self.programs)

    def line(self) -> int:
        """The learner's line that runs now. Raises `TimeLimit`."""
        frame = sys._getframe(1)
        while frame is not None and frame.f_code.co_filename != self.file:
            frame = frame.f_back  # type: ignore[assignment]  # None ends the loop
        number = frame.f_lineno if frame is not None else 0
        if time.monotonic() > self.deadline:
            raise TimeLimit(number)
        return number

    def program_id(self, axis: int) -> Values:
        """[programs] int32."""
        x, y, _ = self.grid
        return (self.programs % x, self.programs // x % y, self.programs // (x * y))[axis].astype(np.int32)

    def load(self, pointers: Values, mask: Values | None, other: Values | None, kind: str) -> Values:
        """What lies at the addresses; lanes that the mask leaves out get `other`."""
        line = self.line()
        addresses, active = _lanes(pointers, mask, 1 if other is None else len(other))
        result = self._filled(addresses.shape, active, other, kind, line)
        parts = self._parts(addresses, active, STORED[kind].itemsize, READS, line, masked=mask is not None)
        for tensor, positions, good in parts:
            view = tensor.view(kind)
            slots = (positions - tensor.low) // STORED[kind].itemsize
            if good is None:
                got = from_bits(view[slots], kind)
                result = got
            else:
                got = from_bits(view[slots[good]], kind)
                result[good] = got
            if self.look:
                self._note_reads(tensor, positions, good, line)
        self._count(line, "load", kind, parts, active, addresses)
        return result

    def store(self, pointers: Values, values: Values, mask: Values | None, kind: str) -> None:
        """Put the values at the addresses, but for lanes that the mask leaves out."""
        line = self.line()
        addresses, active = _lanes(pointers, mask, len(self.programs))
        bits = np.broadcast_to(bits_of(values, kind), addresses.shape)
        parts = self._parts(addresses, active, STORED[kind].itemsize, WRITES, line, masked=mask is not None)
        for tensor, positions, good in parts:
            there = (positions if good is None else positions[good]).reshape(-1)
            put = (bits if good is None else bits[good]).reshape(-1)
            who = self._who(positions, good)
            view = tensor.view(kind)
            slots = (there - tensor.low) // STORED[kind].itemsize
            if self.look:
                self._note_stores(tensor, view, slots, there, put, who, line, _lane_numbers(positions, good))
            view[slots] = put
            if self.look:
                lost = collision((there - tensor.low) // tensor.itemsize, who, view[slots] != put, line)
                if lost is not None:
                    self._race(tensor, WRITES, line, lost)
            if self.wanted:
                self._trace(tensor, there, from_bits(put, kind), who, line)
        self._count(line, "store", kind, parts, active, addresses)

    def update(self, pointers: Values, mask: Values | None, kind: str, change: Callable[..., Values],
               *operands: Values) -> Values:
        """Atomics, lane after lane in the order of programs: the element then holds `change(old, *operands)`.

        What it held before comes back; 0 where the mask leaves a lane out.
        """
        line = self.line()
        addresses, active = _lanes(pointers, mask, len(self.programs))
        result = np.zeros(addresses.shape, STORED[kind])
        parts = self._parts(addresses, active, STORED[kind].itemsize, UPDATES, line, masked=mask is not None)
        flat = result.reshape(-1)
        given = [np.broadcast_to(operand, addresses.shape).reshape(-1) for operand in operands]
        lanes_done = 0
        for tensor, positions, good in parts:
            lanes = np.arange(addresses.size) if good is None else np.flatnonzero(good)
            there = positions.reshape(-1)[lanes]
            slots = (there - tensor.low) // STORED[kind].itemsize
            who = self._who(positions, good)
            if self.look:
                places = (there - tensor.low) // tensor.itemsize
                conflict = self._shadow(tensor).note(UPDATES, places, who, line, _lane_numbers(positions, good),
                                                     self.order)
                if conflict is not None:
                    self._race(tensor, UPDATES, line, conflict)
                if addresses.ndim == 1:  # one number of each program: a ticket, a lock
                    self.order.meet(tensor.number, places, who)
            view = tensor.view(kind)
            for turn in _turns(slots):
                old = view[slots[turn]]
                flat[lanes[turn]] = old
                view[slots[turn]] = bits_of(change(from_bits(old, kind), *(one[lanes[turn]] for one in given)), kind)
            if self.wanted:
                self._trace(tensor, there, from_bits(view[slots], kind), who, line)
            lanes_done += len(lanes)
        self.counter.atomic(line, lanes_done)
        return from_bits(result, kind)

    # Which tensor, which element

    def _parts(self, addresses: npt.NDArray[np.uint64], active: Mask | None, size: int, access: str, line: int,
               masked: bool) -> list[Part]:
        """The tensors that these lanes reach, with positions and which lanes are good (None: all). Others are told."""
        if not addresses.size:
            return []
        first = 0 if active is None else int(np.argmax(active))
        if active is not None and not active.reshape(-1)[first]:
            return []
        tensor = self.space.at(int(addresses.reshape(-1)[first]))
        if tensor is None:
            return self._nowhere(addresses, active, size, access, line, masked)
        positions = (addresses - np.uint64(tensor.base)).view(np.int64)
        inside = tensor.inside(positions, size)
        good = inside if active is None else inside & active
        if active is None and good.all():
            return [(tensor, positions, None)]
        parts: list[Part] = [(tensor, positions, good)] if good.any() else []
        bad = ~inside if active is None else active & ~inside
        if bad.any():
            elsewhere = bad & ((addresses >> np.uint64(44)) != np.uint64(tensor.number))
            if elsewhere.any():
                parts += self._parts(addresses, elsewhere, size, access, line, masked)
                bad &= ~elsewhere
            self._outside(tensor, positions, bad, active, access, line, masked)
        return parts

    def _nowhere(self, addresses: npt.NDArray[np.uint64], active: Mask | None, size: int, access: str, line: int,
                 masked: bool) -> list[Part]:
        numbers = addresses >> np.uint64(44)
        bad = (numbers == 0) | (numbers > np.uint64(len(self.space.tensors)))
        if active is not None:
            bad &= active
        if self.look:
            self.findings.nowhere(self._program(bad), line, access, int(np.count_nonzero(bad)))
        rest = ~bad if active is None else active & ~bad
        return self._parts(addresses, rest, size, access, line, masked) if rest.any() else []

    def _outside(self, tensor: Tensor, positions: Positions, bad: Mask, active: Mask | None, access: str, line: int,
                 masked: bool) -> None:
        if not self.look or not bad.any():
            return
        at = int(np.argmax(bad))
        lanes = int(np.count_nonzero(active)) if active is not None else bad.size
        self.findings.out_of_bounds(self._program(bad), line, access, tensor.name, tensor.shape,
                                    tensor.index(int(positions.reshape(-1)[at])), int(np.count_nonzero(bad)), masked,
                                    lanes)

    def _program(self, lanes: Mask) -> int:
        """The program of the first marked lane."""
        row = int(np.argmax(lanes)) // max(1, lanes[0].size)
        return int(self.programs[row])

    def _who(self, positions: Positions, good: Mask | None) -> npt.NDArray[np.int32]:
        """The program of each good lane, flat."""
        shape = (len(self.programs),) + (1,) * (positions.ndim - 1)
        rows = np.broadcast_to(self.programs.reshape(shape), positions.shape)
        return (rows if good is None else rows[good]).reshape(-1)

    # What is noted

    def _shadow(self, tensor: Tensor) -> Shadow:
        if tensor.number not in self.shadows:
            self.shadows[tensor.number] = Shadow(tensor)
        return self.shadows[tensor.number]

    def _note_reads(self, tensor: Tensor, positions: Positions, good: Mask | None, line: int) -> None:
        """Where one load stands for all programs, the first and the last of them tell of any other."""
        slots = ((positions if good is None else positions[good]) - tensor.low) // tensor.itemsize
        slots, lanes, shadow = slots.reshape(-1), _lane_numbers(positions, good), self._shadow(tensor)
        if len(positions) == len(self.programs):
            readers = [self._who(positions, good)]
        else:
            readers = [np.full(len(slots), self.programs[row], np.int32) for row in (0, -1)]
        for programs in readers:
            conflict = shadow.note(READS, slots, programs, line, lanes, self.order)
            if conflict is not None:
                self._race(tensor, READS, line, conflict)
            own = shadow.reloaded(slots, programs, lanes, self.order)
            if own is not None:
                index = tensor.index(own[0] * tensor.itemsize + tensor.low)
                self.findings.reloads(line, tensor.name, index, own[1])

    def _note_stores(self, tensor: Tensor, view: Values, slots: Positions, there: Positions, put: Values,
                     who: npt.NDArray[np.int32], line: int, lanes: Lanes) -> None:
        places = (there - tensor.low) // tensor.itemsize
        conflict = self._shadow(tensor).note(WRITES, places, who, line, lanes, self.order,
                                             differs=view[slots] != put)
        if conflict is not None:
            self._race(tensor, WRITES, line, conflict)

    def _race(self, tensor: Tensor, access: str, line: int, conflict: Any) -> None:
        index = tensor.index(conflict.slot * tensor.itemsize + tensor.low)
        self.findings.race(line, access, tensor.name, index, conflict.program, conflict.other, conflict.other_line,
                           conflict.other_access, conflict.count)

    def _trace(self, tensor: Tensor, there: Positions, values: Values, who: npt.NDArray[np.int32], line: int) -> None:
        """Keep the stores to the elements that were asked for."""
        for name, index in self.wanted:
            if name != tensor.name or len(index) != len(tensor.shape):
                continue
            place = sum(at * stride for at, stride in zip(index, tensor.strides, strict=True))
            for lane in np.flatnonzero(there == place):
                write = Write(name, tuple(index), _plain(values[lane]), line,
                              self.findings.coordinates(int(who[lane])), NO_THREAD)
                self.values.writes.setdefault((name, tuple(index)), []).append(write)

    def _filled(self, shape: tuple[int, ...], active: Mask | None, other: Values | None, kind: str,
                line: int) -> Values:
        """What a load gives where it reads nothing."""
        dtype = from_bits(np.zeros(1, STORED[kind]), kind).dtype
        if other is not None:
            return np.broadcast_to(other, shape).astype(dtype)
        fill: float = 0
        if active is not None:
            left_out = int(active.size - np.count_nonzero(active))
            if left_out:
                self.left_open[line] = self.left_open.get(line, 0) + left_out
            if self.filled is None or line in self.filled:
                fill = self.fill
        return np.full(shape, _as_element(fill, dtype), dtype)

    def _count(self, line: int, access: str, kind: str, parts: list[Part], active: Mask | None,
               addresses: Values) -> None:
        if not self.counter.on:
            return
        times = len(self.programs) // len(addresses) if len(addresses) else 1
        lanes = sum(positions.size if good is None else int(np.count_nonzero(good)) for _, positions, good in parts)
        left_out = 0 if active is None else int(active.size - np.count_nonzero(active))
        self.counter.access(line, access, STORED[kind].itemsize, lanes, times, parts, left_out)


def _lanes(pointers: Values, mask: Values | None, programs: int = 1) -> tuple[npt.NDArray[np.uint64], Mask | None]:
    """Addresses and mask of one shape, the axis of programs at least this long."""
    shape = (max(len(pointers), programs if len(pointers) == 1 else 1), *pointers.shape[1:])
    if mask is None:
        return np.ascontiguousarray(np.broadcast_to(pointers, shape)), None
    shape = np.broadcast_shapes(shape, mask.shape)
    active = np.broadcast_to(mask, shape)
    return np.ascontiguousarray(np.broadcast_to(pointers, shape)), np.ascontiguousarray(active)


def _lane_numbers(positions: Positions, good: Mask | None) -> Lanes:
    """For each good lane its number within its program's block, flat."""
    numbers = np.arange(positions[:1].size, dtype=np.int32).reshape(positions[:1].shape)
    lanes = np.broadcast_to(numbers, positions.shape)
    return (lanes if good is None else lanes[good]).reshape(-1)


def _turns(slots: Positions) -> list[npt.NDArray[np.int64]]:
    """The lanes, in rounds in each of which no slot comes twice; in their order for each slot."""
    order = np.argsort(slots, kind="stable")
    ordered = slots[order]
    starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
    rank = np.arange(len(slots)) - np.repeat(starts, np.diff(np.append(starts, len(slots))))
    by_rank = np.argsort(rank, kind="stable")
    ends = np.flatnonzero(np.diff(rank[by_rank])) + 1
    return [np.sort(order[group]) for group in np.split(by_rank, ends)] if len(slots) else []


def _plain(value: Any) -> Any:
    """A NumPy scalar as Python's, NaN and infinity as text."""
    item = value.item()
    return str(item) if isinstance(item, float) and not np.isfinite(item) else item


def _as_element(fill: float, dtype: np.dtype[Any]) -> Any:
    """The number, or what of this type comes nearest to it; 1 for NaN where there is none."""
    if dtype.kind == "f":
        with np.errstate(over="ignore"):
            return dtype.type(fill)
    if dtype.kind == "b":
        return bool(fill)
    limits = np.iinfo(dtype)
    return max(limits.min, min(limits.max, int(fill) if fill == fill else 1))
