"""Running a launch warp by warp or thread by thread in a chosen order.

Two uses: kernels that wait for other threads get fair turns, and a race is run in two orders to show two
answers. The program is
the same generator as in lockstep; it stops at barriers and, when turns are fair, whenever a loop goes round.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gpulab.engines.simt.collectives import OF_BLOCKS, perform
from gpulab.engines.simt.context import Context, LaunchState
from gpulab.engines.simt.geometry import Geometry
from gpulab.engines.simt.lanes import WARP, Mask
from gpulab.engines.simt.stops import Collective, Pause

MOST_GROUPS = 4096
"""Warps or threads resident at once; further blocks start as others end."""

Priority = Callable[[int, int], Any]
"""(block, first thread of the group) -> sort key: lower runs first."""


@dataclass
class Group:
    """A warp or a single thread of a block: the lanes that run as one."""

    block: int
    first_thread: int
    context: Context
    steps: Generator[Any, Any, Any]
    waiting: Collective | None = None
    frozen_at: Pause | None = None
    done: bool = False
    answer: Any = None


@dataclass
class Schedule:
    """A launch in progress under an order of turns."""

    prepared: Any
    state: LaunchState
    group_size: int = WARP
    priority: Priority | None = None
    fair: bool = False
    groups: list[Group] = field(default_factory=list)
    hung: Pause | None = None
    stuck_group: Group | None = None

    def run(self) -> None:
        """To the end, or until nothing can change any more (`hung`)."""
        prepared = self.prepared
        total = prepared.grid[0] * prepared.grid[1] * prepared.grid[2]
        pending = sorted(range(total), key=lambda block: self.priority(block, 0) if self.priority else block)
        threads = prepared.block[0] * prepared.block[1] * prepared.block[2]
        resident = max(1, MOST_GROUPS // -(-threads // self.group_size))
        with np.errstate(all="ignore"):
            while pending or self.groups:
                running = {group.block for group in self.groups}
                while pending and len(running) < resident:
                    block = pending.pop(0)
                    running.add(block)
                    self.groups.extend(self._groups_of(block, threads))
                if self.priority is not None:
                    self.groups.sort(key=lambda group: self.priority(group.block, group.first_thread))  # type: ignore[misc]
                before = self.state.changed
                progress = self._turns()
                self.groups = [group for group in self.groups if not group.done]
                if self.groups and not progress and self.state.changed == before:
                    self.hung = next((g.frozen_at for g in self.groups if g.frozen_at), None)
                    self.stuck_group = next((g for g in self.groups if g.frozen_at), self.groups[0])
                    return

    def _groups_of(self, block: int, threads: int) -> list[Group]:
        shared: dict[Any, Any] = {}
        groups = []
        for first in range(0, threads, self.group_size):
            lane = block * threads + np.arange(first, min(first + self.group_size, threads))
            geometry = Geometry(self.prepared.grid, self.prepared.block, lane, np.array([block]), whole_blocks=False)
            context = Context(self.state, geometry, stepwise=True, fair=self.fair)
            context.shared = shared
            steps = self.prepared.program.run(context, context.everyone, *self.prepared.arguments)
            groups.append(Group(block, first, context, steps))
        return groups

    def _turns(self) -> bool:
        """One turn for each group that can run; whether any of them got anywhere."""
        progress = False
        for group in self.groups:
            if not group.done and group.waiting is None:
                progress |= self._advance(group)
                progress |= self._release(group)
        for group in self.groups:
            progress |= self._release(group)
        return progress

    def _advance(self, group: Group) -> bool:
        try:
            event = group.steps.send(group.answer) if group.answer is not None else next(group.steps)
        except StopIteration:
            group.done = True
            return True
        group.answer = None
        if isinstance(event, Collective):
            group.waiting, group.frozen_at = event, None
            return True
        group.frozen_at = event if event.frozen else None
        return not event.frozen

    def _release(self, group: Group) -> bool:
        """Let everyone go who waits for the same thing as `group`, if all have come."""
        if group.waiting is None:
            return False
        if group.waiting.kind == "grid":
            members = self.groups
        elif group.waiting.kind in OF_BLOCKS:
            members = [other for other in self.groups if other.block == group.block]
        else:
            warp = group.first_thread // WARP
            members = [g for g in self.groups if g.block == group.block and g.first_thread // WARP == warp]
        alive = [other for other in members if not other.done]
        if any(other.waiting is None for other in alive):
            return False
        same = [other for other in alive if other.waiting is not None and other.waiting.kind == group.waiting.kind]
        if group.waiting.kind in OF_BLOCKS:
            self._release_block(same)
        else:
            self._release_warp(same)
        return True

    def _release_block(self, groups: list[Group]) -> None:
        kind = groups[0].waiting.kind  # type: ignore[union-attr]
        if self.state.check:
            self._check_arrival(groups)
            self.state.clocks.barrier_passed(np.unique([group.block for group in groups]), everyone=False)
            if kind == "grid":
                self.state.clocks.grid_synced()
        if self.state.tally is not None:
            self.state.tally.add(groups[0].waiting.line, "barriers", len({g.block for g in groups}))  # type: ignore[union-attr]
        if self.state.recorder is not None:
            self.state.recorder.passed(groups[0].waiting.line, _arrived(groups))  # type: ignore[union-attr]
        votes = [_holds(group) for group in groups] if kind in ("count", "and", "or") else []
        result = {
            "count": sum(int(v.sum()) for v in votes),
            "and": int(all(v.all() for v in votes)),
            "or": int(any(v.any() for v in votes)),
        }.get(kind)
        for group in groups:
            group.waiting = None
            group.answer = np.int32(result) if result is not None else None

    def _check_arrival(self, groups: list[Group]) -> None:
        for group in groups:
            waiting = group.waiting
            assert waiting is not None
            if waiting.mask.count < group.context.live_count:
                group.context._check_arrival(waiting.mask, waiting.line)

    def _release_warp(self, groups: list[Group]) -> None:
        """A warp-level call of single threads: put them together, perform it, hand each its result."""
        lane = np.array([int(group.context.geometry.lane[0]) for group in groups])
        order = np.argsort(lane)
        groups = [groups[i] for i in order]
        first = groups[0]
        geometry = Geometry(
            self.prepared.grid, self.prepared.block, lane[order], np.array([first.block]), whole_blocks=False
        )
        context = Context(self.state, geometry, stepwise=True)
        waits = [group.waiting for group in groups]
        columns = zip(*(wait.arguments for wait in waits if wait is not None), strict=True)
        arguments = tuple(np.array([np.ravel(value)[0] for value in column]) for column in columns)
        result = perform(context, waits[0].kind, Mask(None, len(groups)), waits[0].line, arguments)  # type: ignore[union-attr]
        for i, group in enumerate(groups):
            group.waiting = None
            if isinstance(result, tuple):
                group.answer = tuple(part[i : i + 1] for part in result)
            else:
                group.answer = None if result is None else result[i : i + 1]


def _arrived(groups: list[Group]) -> dict[int, int]:
    """Block -> how many of its threads wait."""
    threads: dict[int, int] = {}
    for group in groups:
        if group.waiting is not None:
            threads[group.block] = threads.get(group.block, 0) + group.waiting.mask.count
    return threads


def _holds(group: Group) -> Any:
    """The predicate of a counting barrier for the lanes of the group that arrived."""
    waiting = group.waiting
    assert waiting is not None
    value = np.broadcast_to(np.asarray(waiting.arguments[0] != 0), (group.context.geometry.count,))
    return value if waiting.mask.bits is None else value[waiting.mask.bits]
