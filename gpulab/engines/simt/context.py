"""What a lane program calls while it runs: loads, stores, atomics, barriers, allocation.

One `Context` runs one batch of lanes in lockstep. Offsets and values are one scalar for all lanes or [lanes]
arrays; a `Mask`
says which lanes are active. After a bad access the lane skips it (a load gives 0) and the run goes on.
"""

from __future__ import annotations

import time as clock
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from gpulab.engines.simt.addresses import Addresses
from gpulab.engines.simt.arithmetic import BlockWork
from gpulab.engines.simt.clocks import Clocks
from gpulab.engines.simt.counting import Accesses, Tally
from gpulab.engines.simt.findings import Findings
from gpulab.engines.simt.geometry import Geometry
from gpulab.engines.simt.lanes import Mask, narrow
from gpulab.engines.simt.memory import ArrayView, Memory, at, poison
from gpulab.engines.simt.rewrites import LoadSite
from gpulab.engines.simt.shadow import Shadow
from gpulab.engines.simt.stops import Collective, Pause, Stuck, TimeLimit, UnsupportedHere, same

Array = npt.NDArray[Any]


@dataclass
class LaunchState:
    """What all batches of one launch share."""

    findings: Findings
    tally: Tally | None
    clocks: Clocks
    check: bool
    """Whether findings are wanted."""
    shared_bytes: int = 0
    deadline: float | None = None
    shared_names: dict[str, int] = field(default_factory=dict)
    """Shared arrays of the kernel -> bytes per block."""
    printed: list[str] = field(default_factory=list)
    recorder: Any = None
    spins: bool = False
    """Whether some loop may wait for memory, so that changes of memory are worth counting."""
    changed: int = 0
    """How often a store or atomic changed memory: a waiting loop may hope as long as this moves."""


class Context:
    """The machine as one batch of lanes sees it.

    With `stepwise` the lanes are a part of a block (a warp, or one thread), and collectives are yielded to a
    scheduler that knows the others.
    """

    def __init__(self, state: LaunchState, geometry: Geometry, stepwise: bool = False, fair: bool = False) -> None:
        self.state = state
        self.geometry = geometry
        self.stepwise = stepwise
        self.fair = fair
        self._seen: tuple[int, int, dict[str, Any]] | None = None
        self.everyone = Mask(None, geometry.count)
        self._addresses = Addresses()
        self._accesses = Accesses(geometry)
        self.returned: npt.NDArray[np.bool_] | None = None
        self.live_count = geometry.count
        self.shared: dict[Any, ArrayView] = {}
        self.local: dict[Any, ArrayView] = {}
        if not stepwise:
            state.clocks.start_batch()

    # ---- allocation -------------------------------------------------------------------------------------------------

    def shared_array(self, key: Any, name: str, shape: tuple[int, ...], dtype: np.dtype[Any]) -> ArrayView:
        """A static shared array; `key` names the call in the source, so that running it again gives the same array."""
        if key not in self.shared:
            count = int(np.prod(shape))
            self.state.shared_names[name] = count * dtype.itemsize
            self.shared[key] = self._block_array(name, shape, dtype, count)
        return self.shared[key]

    def dynamic_shared_array(self, name: str, dtype: np.dtype[Any]) -> ArrayView:
        """`cuda.shared.array(0, dtype)`: the launch's dynamic shared memory."""
        key = ("dynamic", dtype)
        if key not in self.shared:
            count = self.state.shared_bytes // dtype.itemsize
            self.state.shared_names["dynamic"] = self.state.shared_bytes
            existing = [view for (kind, *_), view in self.shared.items() if kind == "dynamic"]
            if existing:
                raise UnsupportedHere("dynamic shared memory used under two types")
            self.shared[key] = self._block_array(name, (count,), dtype, count)
        return self.shared[key]

    def _block_array(self, name: str, shape: tuple[int, ...], dtype: np.dtype[Any], count: int) -> ArrayView:
        blocks = len(self.geometry.blocks)
        memory = Memory(name, "shared", poison(count * blocks, dtype), count)
        if self.state.check:
            memory.initialised = np.zeros(count * blocks, np.bool_)
            memory.shadow = Shadow(count * blocks, self.state.clocks, across_blocks=False)
        slot: Any = self.geometry.slot_of * count if blocks > 1 else 0
        return ArrayView(memory, slot, _extents(shape), _c_strides(shape), name, slot)

    def local_array(self, key: Any, name: str, shape: tuple[int, ...], dtype: np.dtype[Any], mask: Mask) -> ArrayView:
        """A local array per lane."""
        if key not in self.local:
            count = int(np.prod(shape))
            lanes = self.geometry.count
            memory = Memory(name, "local", poison(count * lanes, dtype), count)
            if self.state.check:
                memory.initialised = np.zeros(count * lanes, np.bool_)
            slot = np.arange(lanes) * count
            self.local[key] = ArrayView(memory, slot, _extents(shape), _c_strides(shape), name, slot)
        return self.local[key]

    def constant_array(self, name: str, array: Array) -> ArrayView:
        """A module-level array, frozen when the kernel was compiled."""
        key = ("constant", id(array))
        if key not in self.shared:
            flat = np.ascontiguousarray(array).reshape(-1).copy()
            view = ArrayView(Memory(name, "const", flat), 0, _extents(array.shape), _c_strides(array.shape), name)
            self.shared[key] = view
        return self.shared[key]

    # ---- addresses --------------------------------------------------------------------------------------------------

    def _offsets(
        self, line: int, access: str, view: ArrayView, index: tuple[Any, ...], mask: Mask
    ) -> tuple[Any, Mask | None]:
        """Cells of `view[index]`, and the lanes whose index is inside the array."""
        offset, outside = self._addresses.offsets(view, index)
        if outside is None:
            return offset, mask
        keep = np.broadcast_to(~np.asarray(outside), (self.geometry.count,))
        good = narrow(mask, keep)
        if good is not mask and self.state.check:
            self._report_outside(line, access, view, index, mask, keep)
        if good is not None and not isinstance(offset, np.ndarray):
            offset = np.full(self.geometry.count, offset)
        return offset, good

    def _report_outside(
        self, line: int, access: str, view: ArrayView, index: tuple[Any, ...], mask: Mask, keep: Any
    ) -> None:
        bad = ~keep if mask.bits is None else mask.bits & ~keep
        positions = np.flatnonzero(bad)
        first = int(positions[0])
        if self.state.recorder is not None:
            self.state.recorder.outside(self, line, access, view, index, positions)
        self.state.findings.out_of_bounds(
            self.geometry, line, access, view, first, tuple(int(at(i, first)) for i in index), len(positions)
        )

    # ---- loads and stores -------------------------------------------------------------------------------------------

    def load(
        self, view: ArrayView, index: tuple[Any, ...], mask: Mask, line: int, guess: bool = False,
        site: LoadSite | None = None,
    ) -> Any:
        """`view[index]`: a scalar where every lane reads the same cell, else [lanes].

        With `guess` a compare-and-swap finds out whether the value still stands (see `guesses`). The compiler may drop
        the load of a `site`, or merge it with others.
        """
        offset, good = self._offsets(line, "reads", view, index, mask)
        memory = view.memory
        if good is None:
            return memory.cells.dtype.type(0)
        if not isinstance(offset, np.ndarray):
            value: Any = memory.cells[offset]
        else:
            value = memory.cells.take(offset, mode="clip")
            if good is not mask:
                value = np.where(good.bits, value, memory.cells.dtype.type(0))  # type: ignore[arg-type]
        self._count(line, "load", view, index, offset, good, site)
        if self.state.check:
            self._check_load(view, offset, good, line, guess)
        if self.state.recorder is not None:
            self.state.recorder.load(self, line, view, offset, value, good)
        return value

    def _check_load(self, view: ArrayView, offset: Any, mask: Mask, line: int, guess: bool) -> None:
        memory = view.memory
        if memory.initialised is not None:
            self._check_initialised(view, offset, mask, line)
        if memory.shadow is not None:
            time = self.state.clocks.tick(line)
            conflict = memory.shadow.load(self.geometry, time, offset, mask, guess)
            if conflict is not None:
                self._report_race(line, "reads", view, conflict)

    def _check_initialised(self, view: ArrayView, offset: Any, mask: Mask, line: int) -> None:
        written = view.memory.initialised
        assert written is not None
        if isinstance(offset, np.ndarray):
            unset = ~written.take(offset, mode="clip")
            if mask.bits is not None:
                unset &= mask.bits
            if unset.any():
                where = np.flatnonzero(unset)
                self.state.findings.uninitialised(
                    self.geometry, line, view, int(where[0]), int(offset[where[0]]), len(where)
                )
        elif not written[offset]:
            lanes = mask.lanes(self.geometry.count)
            self.state.findings.uninitialised(self.geometry, line, view, int(lanes[0]), int(offset), len(lanes))

    def check_assigned(self, flag: Any, mask: Mask, line: int, name: str) -> None:
        """Lanes of `mask` use the variable `name`; those without `flag` never gave it a value."""
        if not self.state.check:
            return
        unset = np.broadcast_to(~np.asarray(flag), (self.geometry.count,))
        if mask.bits is not None:
            unset = unset & mask.bits
        lanes = np.flatnonzero(unset)
        if len(lanes):
            self.state.findings.unassigned(self.geometry, line, name, int(lanes[0]), len(lanes))

    def store(self, view: ArrayView, index: tuple[Any, ...], value: Any, mask: Mask, line: int) -> None:
        """`view[index] = value`; `value` already has the array's type. Of lanes that meet in one cell the last wins."""
        offset, good = self._offsets(line, "writes", view, index, mask)
        if good is None:
            return
        memory = view.memory
        bits = good.bits
        cells = (offset if bits is None else offset[bits]) if isinstance(offset, np.ndarray) else offset
        if isinstance(value, np.ndarray):
            values = value if bits is None else value[bits]
            if not isinstance(cells, np.ndarray):
                cells = np.full(len(values), cells)
        else:
            values = value
        conflict = None
        if self.state.check and memory.shadow is not None:
            time = self.state.clocks.tick(line)
            changed = memory.cells[cells] != values
            if not isinstance(changed, np.ndarray):
                changed = np.full(good.count, bool(changed))
            conflict = memory.shadow.store(self.geometry, time, offset, good, changed, None)
        if self.state.spins:
            self.state.changed += int(np.any(memory.cells[cells] != values))
        memory.cells[cells] = values
        if self.state.check:
            if memory.initialised is not None:
                memory.mark_initialised(cells)
            if memory.shadow is not None:
                if conflict is None and isinstance(values, np.ndarray):
                    kept = memory.cells[cells]
                    lost = (kept != values) & ((kept == kept) | (values == values))
                    conflict = memory.shadow.clash(self.geometry, offset, good, line, lost)
                if conflict is not None:
                    self._report_race(line, "writes", view, conflict)
        self._count(line, "store", view, index, offset, good)
        if self.state.recorder is not None:
            self.state.recorder.store(self, line, view, offset, value, good)

    def _report_race(self, line: int, access: str, view: ArrayView, conflict: Any) -> None:
        position = int(np.flatnonzero(self.geometry.lane == conflict.lane)[0])
        self.state.findings.race(self.geometry, line, access, view, position, conflict)

    def printed_load(
        self, view: ArrayView, index: tuple[Any, ...], mask: Mask, line: int, guess: bool = False
    ) -> Any:
        """A `load` whose value is only printed: it is in no counter."""
        tally, self.state.tally = self.state.tally, None
        try:
            return self.load(view, index, mask, line, guess)
        finally:
            self.state.tally = tally

    def _count(
        self, line: int, kind: str, view: ArrayView, index: tuple[Any, ...], offset: Any, mask: Mask,
        site: LoadSite | None = None,
    ) -> None:
        if self.state.tally is not None:
            self.state.tally.access(self._accesses, line, kind, view, index, offset, mask, site)

    def run_block(self, work: BlockWork, mask: Mask) -> None:
        """A basic block runs for these lanes."""
        if self.state.tally is not None:
            self.state.tally.block(self.geometry, work, mask)

    # ---- barriers ---------------------------------------------------------------------------------------------------

    def leave(self, mask: Mask) -> None:
        """These lanes return from the kernel."""
        bits = mask.bits
        if self.returned is None:
            self.returned = np.zeros(self.geometry.count, np.bool_)
        self.returned[slice(None) if bits is None else bits] = True
        self.live_count = self.geometry.count - int(np.count_nonzero(self.returned))

    def barrier(self, mask: Mask, line: int) -> None:
        """`syncthreads` by the lanes of `mask`: every live thread of their blocks must be among them."""
        state, geometry = self.state, self.geometry
        everyone = mask.count == self.live_count
        if not everyone:
            self._check_arrival(mask, line)
        if state.tally is not None:
            arrived = (
                len(geometry.blocks) if mask.full else len(np.unique(geometry.slot_of[mask.lanes(geometry.count)]))
            )
            state.tally.add(line, "barriers", arrived)
        if state.check:
            if self.returned is not None and not mask.full and everyone:
                state.findings.note(
                    "barrier after return",
                    "Some threads have returned before this barrier. It waits for the others only, which is allowed.",
                    line,
                )
            blocks = geometry.blocks if mask.full else np.unique(geometry.block_of[mask.lanes(geometry.count)])
            state.clocks.barrier_passed(blocks, everyone)
        if state.recorder is not None:
            state.recorder.barrier(self, line, mask)

    def _check_arrival(self, mask: Mask, line: int) -> None:
        geometry = self.geometry
        bits = mask.bits
        assert bits is not None
        missing = ~bits if self.returned is None else ~bits & ~self.returned
        blocks_here = np.zeros(len(geometry.blocks), np.bool_)
        blocks_here[geometry.slot_of[bits]] = True
        missing &= blocks_here[geometry.slot_of]
        if missing.any() and self.state.check:
            first = int(np.flatnonzero(missing)[0])
            slot = geometry.slot_of[first]
            arrived = int(np.flatnonzero(bits & (geometry.slot_of == slot))[0])
            self.state.findings.divergence(
                geometry, line, int(geometry.lane[first]), int(geometry.lane[arrived]), "the barrier"
            )

    def collective(self, kind: str, mask: Mask, line: int, *arguments: Any) -> Generator[Collective, Any, Any]:
        """A barrier or warp-level call: done at once in lockstep, yielded when running in steps."""
        from gpulab.engines.simt.collectives import OF_BLOCKS, perform

        if self.stepwise and (kind in OF_BLOCKS or self.geometry.count == 1):
            return (yield Collective(kind, mask, line, arguments))
        return perform(self, kind, mask, line, arguments)

    def fence(self, mask: Mask) -> None:
        """`threadfence`: what the lanes' blocks wrote may be released to others by a later atomic."""
        if self.state.check:
            self.state.clocks.fenced(np.unique(self.geometry.block_of[mask.lanes(self.geometry.count)]))

    def look_at_clock(self, line: int) -> None:
        """Raise `TimeLimit` where the launch has run for too long."""
        if self.state.deadline is not None and clock.monotonic() > self.state.deadline:
            raise TimeLimit(line)

    def heartbeat(self, line: int, mask: Mask, variables: dict[str, Any] | None) -> Generator[Pause, None, None]:
        """A loop goes round: every 64th time in lockstep, each time when turns are fair.

        `variables` are the frame's, for a loop that may wait for memory. Where they and all of memory are as
        they were a round
        before, the loop is stuck: in lockstep that raises `Stuck`, with fair turns the scheduler is told.
        """
        self.look_at_clock(line)
        if self.fair:
            yield Pause(line, mask, variables is not None and self._frozen(line, variables))
        elif variables is not None and self._frozen(line, variables):
            raise Stuck(line, int(self.geometry.lane[mask.lanes(self.geometry.count)[0]]))

    def _frozen(self, line: int, variables: dict[str, Any]) -> bool:
        """Whether nothing has changed since this loop was seen last. `state.changed` counts every write to memory."""
        now = (line, self.state.changed, {name: value for name, value in variables.items() if name[0] in "vmP"})
        before, self._seen = self._seen, now
        return before is not None and before[:2] == now[:2] and same(before[2], now[2])

    def print(self, mask: Mask, values: list[Any]) -> None:
        """`print` of each active lane, in lane order; at most 1000 lines are kept."""
        for lane in mask.lanes(self.geometry.count):
            if len(self.state.printed) >= 1000:
                return
            self.state.printed.append(" ".join(str(at(value, lane)) for value in values))

    def raised(self, error: str, mask: Mask, line: int) -> None:
        lanes = mask.lanes(self.geometry.count)
        self.state.findings.raised(self.geometry, line, int(self.geometry.lane[lanes[0]]), error, len(lanes))


def _extents(shape: tuple[int, ...]) -> tuple[Any, ...]:
    return tuple(np.int64(extent) for extent in shape)


def _c_strides(shape: tuple[int, ...]) -> tuple[int, ...]:
    strides, step = [], 1
    for extent in reversed(shape):
        strides.append(step)
        step *= int(extent)
    return tuple(reversed(strides))


__all__ = ["Collective", "Context", "LaunchState", "Pause", "Stuck", "TimeLimit", "UnsupportedHere"]
