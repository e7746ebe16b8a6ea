"""Counters the slow way: thread by thread in plain Python, from the definitions in docs/counters.md alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

Threads = tuple[int, int]


def warps_of(blocks: int, threads: Threads) -> Iterator[list[int]]:
    """The launch's threads, numbered over all blocks, a warp at a time."""
    per_block = threads[0] * threads[1]
    for block in range(blocks):
        for first in range(0, per_block, 32):
            yield [block * per_block + thread for thread in range(first, min(first + 32, per_block))]


def of_global(warps: Sequence[Sequence[int | None]], item: int, kind: str) -> dict[str, int]:
    """`warps`: for each execution by a warp, the element each lane asks for, None where it is off."""
    counts = dict.fromkeys(
        (f"global_{kind}s", *(f"global_{kind}_{part}" for part in
                              ("requests", "sectors", "sectors_ideal", "bytes", "bytes_asked"))), 0)
    for lanes in warps:
        asked = [cell for cell in lanes if cell is not None]
        if not asked:
            continue
        touched = {byte for cell in asked for byte in range(cell * item, (cell + 1) * item)}
        sectors = len({byte // 32 for byte in touched})
        counts[f"global_{kind}s"] += len(asked)
        counts[f"global_{kind}_requests"] += 1
        counts[f"global_{kind}_sectors"] += sectors
        counts[f"global_{kind}_sectors_ideal"] += -(-len(touched) // 32)
        counts[f"global_{kind}_bytes"] += 32 * sectors
        counts[f"global_{kind}_bytes_asked"] += item * len(asked)
    return counts


def of_shared(warps: Sequence[Sequence[int | None]], item: int, kind: str) -> dict[str, int]:
    """The same for shared memory: 32 banks of 4 bytes; 8-byte elements by half warps, 16-byte ones by quarters."""
    counts = dict.fromkeys((f"shared_{kind}s", *(f"shared_{kind}_{part}" for part in
                                                  ("requests", "wavefronts", "bank_conflicts"))), 0)
    together = 32 if item <= 4 else 16 if item == 8 else 8
    for lanes in warps:
        if all(cell is None for cell in lanes):
            continue
        counts[f"shared_{kind}s"] += sum(cell is not None for cell in lanes)
        counts[f"shared_{kind}_requests"] += 1
        for first in range(0, len(lanes), together):
            asked = [cell for cell in lanes[first : first + together] if cell is not None]
            if not asked:
                continue
            words = sorted({byte // 4 for cell in asked for byte in range(cell * item, (cell + 1) * item)},
                           key=lambda word: word % 32)
            turns = max(len(list(of_one)) for _, of_one in groupby(words, key=lambda word: word % 32))
            counts[f"shared_{kind}_wavefronts"] += turns
            counts[f"shared_{kind}_bank_conflicts"] += turns - 1
    return counts


def of_atomics(warps: Sequence[Sequence[int | None]]) -> dict[str, int]:
    """Updates, and those of a cell that an earlier lane of the warp updates too."""
    updates = [[cell for cell in lanes if cell is not None] for lanes in warps]
    met = sum(len(cells) - len(set(cells)) for cells in updates)
    return {"atomics": sum(map(len, updates)), "atomic_conflicts": met}


def of_executions(warps: Sequence[Sequence[int]], times: Callable[[int], int]) -> dict[str, float]:
    """A line that thread i runs `times(i)` times, in a loop that all threads of a warp enter together."""
    by_lanes = sum(times(thread) for warp in warps for thread in warp)
    by_warps = sum(max(times(thread) for thread in warp) for warp in warps)
    percent = round(100 * by_lanes / (32 * by_warps), 2) if by_warps else 0
    counts = {"executions": by_lanes, "warp_executions": by_warps, "active_lanes_percent": percent}
    return {name: count for name, count in counts.items() if count}
