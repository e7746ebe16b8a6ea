"""Two allowed orders of a race that leave two different answers."""

from __future__ import annotations

import time as clock
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from gpulab.engines.simt.clocks import Clocks
from gpulab.engines.simt.context import LaunchState
from gpulab.engines.simt.findings import Findings
from gpulab.engines.simt.lanes import WARP
from gpulab.engines.simt.memory import ArrayView
from gpulab.engines.simt.schedule import Priority, Schedule
from gpulab.engines.simt.stops import TimeLimit
from gpulab.trace import Coordinates, Finding, Outcome
from gpulab.trace.values import Value

MOST_LANES = 4096
SECONDS = 0.5
MOST_SINGLE = 64
"""Threads of a launch that is also run thread by thread: some tenths of a millisecond each."""

Memories = list[npt.NDArray[Any]]


def snapshot(views: dict[str, ArrayView]) -> Memories:
    """Copies of all global memory of a launch."""
    return [view.memory.cells.copy() for view in views.values()]


def restore(views: dict[str, ArrayView], saved: Memories) -> None:
    for view, cells in zip(views.values(), saved, strict=True):
        view.memory.cells[:] = cells


def with_outcomes(prepared: Any, found: list[Finding], before: Memories, shared_bytes: int) -> list[Finding]:
    """The findings, races among them with two outcomes where two orders differ. Memory is left as it was found."""
    lanes = int(np.prod(prepared.grid)) * int(np.prod(prepared.block))
    races = [finding for finding in found if finding.kind == "race" and finding.other is not None]
    if not races or lanes > MOST_LANES:
        return found
    after = snapshot(prepared.views)
    deadline = clock.monotonic() + SECONDS
    answer = []
    for finding in found:
        if finding in races and clock.monotonic() < deadline:
            finding = replace(finding, outcomes=_outcomes(prepared, finding, before, shared_bytes, deadline))
        answer.append(finding)
    restore(prepared.views, after)
    return answer


def _outcomes(
    prepared: Any, finding: Finding, before: Memories, shared_bytes: int, deadline: float
) -> tuple[Outcome, ...]:
    for (one, first, size), (two, second, _) in _pairs(prepared, finding):
        try:
            left = _run(prepared, before, shared_bytes, first, size, deadline)
            right = _run(prepared, before, shared_bytes, second, size, deadline)
        except TimeLimit:
            return ()
        difference = _first_difference(prepared.views, left, right)
        if difference is not None:
            array, index, a, b = difference
            steps = _steps(finding)
            return (Outcome(one, steps, array, index, a), Outcome(two, steps[::-1], array, index, b))
    return ()


def _steps(finding: Finding) -> tuple[tuple[Coordinates, Coordinates, int, str], ...]:
    """The two accesses, the earlier line's thread first."""
    other = finding.other
    assert other is not None and finding.block is not None and finding.thread is not None
    return (
        (other.block, other.thread, other.line, finding.other_access or "writes"),
        (finding.block, finding.thread, finding.line, finding.access or "reads"),
    )


def _pairs(prepared: Any, finding: Finding) -> Iterator[tuple[tuple[str, Priority, int], tuple[str, Priority, int]]]:
    """Pairs of orders worth trying: the two sides of the race against each other, then everything reversed.

    Warps come before single threads, which take thirty times as long.
    """
    other = finding.other
    assert other is not None and finding.block is not None and finding.thread is not None
    block, other_block = _linear(finding.block, prepared.grid), _linear(other.block, prepared.grid)
    thread, other_thread = _linear(finding.thread, prepared.block), _linear(other.thread, prepared.block)
    if block != other_block:
        yield (_first_block(other_block), _first_block(block))
    elif thread // WARP != other_thread // WARP:
        yield (
            _first_group("warp", block, other_thread // WARP * WARP, WARP),
            _first_group("warp", block, thread // WARP * WARP, WARP),
        )
    yield (("warps in order", lambda b, t: (b, t), WARP), ("warps in reverse order", lambda b, t: (-b, -t), WARP))
    if int(np.prod(prepared.grid)) * int(np.prod(prepared.block)) > MOST_SINGLE:
        return
    yield (_first_group("thread", block, other_thread, 1), _first_group("thread", block, thread, 1))
    yield (("threads in order", lambda b, t: (b, t), 1), ("threads in reverse order", lambda b, t: (-b, -t), 1))


def _linear(at: Coordinates, size: Coordinates) -> int:
    return at[0] + size[0] * (at[1] + size[1] * at[2])


def _first_block(block: int) -> tuple[str, Priority, int]:
    return f"block {block} first", lambda b, t: (b != block, b, t), WARP


def _first_group(noun: str, block: int, first: int, size: int) -> tuple[str, Priority, int]:
    number = first // WARP if noun == "warp" else first
    return f"{noun} {number} first", lambda b, t: (b, t != first, t), size


def _run(
    prepared: Any, before: Memories, shared_bytes: int, priority: Priority, size: int, deadline: float
) -> Memories:
    """Global memory after a run in this order."""
    restore(prepared.views, before)
    saved = [view.memory.shadow for view in prepared.views.values()]
    grid, block = prepared.grid, prepared.block
    clocks = Clocks(1, 1, int(np.prod(block)))
    state = LaunchState(Findings(grid, block), None, clocks, check=False, shared_bytes=shared_bytes, deadline=deadline)
    for view in prepared.views.values():
        view.memory.shadow = None
    try:
        Schedule(prepared, state, size, priority).run()
    finally:
        for view, shadow in zip(prepared.views.values(), saved, strict=True):
            view.memory.shadow = shadow
    return snapshot(prepared.views)


def _first_difference(
    views: dict[str, ArrayView], left: Memories, right: Memories
) -> tuple[str, tuple[int, ...], Value, Value] | None:
    for (name, view), a, b in zip(views.items(), left, right, strict=True):
        differ = (a != b) & ((a == a) | (b == b))
        cells = np.flatnonzero(differ)
        if len(cells):
            cell = int(cells[0])
            return name, view.index_of(cell, 0), plain_value(a[cell]), plain_value(b[cell])
    return None


def plain_value(value: Any) -> Value:
    """A NumPy scalar as a Python number that JSON can carry."""
    number = value.item()
    if isinstance(number, complex) or (isinstance(number, float) and not np.isfinite(number)):
        return str(number)
    return number  # type: ignore[no-any-return]
