"""The names of all counters, and the counts of one launch. `docs/counters.md` defines each at length."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

Count = int | float
"""Whole for everything but `active_lanes_percent`."""

Counting = bool | Literal["lanes"]
"""What is counted: everything, nothing, or what lanes do but not what the memory makes of it."""

COUNTERS = (
    "global_loads",
    "global_stores",
    "shared_loads",
    "shared_stores",
    "local_loads",
    "local_stores",
    "global_load_requests",
    "global_load_sectors",
    "global_load_sectors_ideal",
    "global_load_bytes",
    "global_load_bytes_asked",
    "global_store_requests",
    "global_store_sectors",
    "global_store_sectors_ideal",
    "global_store_bytes",
    "global_store_bytes_asked",
    "shared_load_requests",
    "shared_load_wavefronts",
    "shared_load_bank_conflicts",
    "shared_store_requests",
    "shared_store_wavefronts",
    "shared_store_bank_conflicts",
    "atomics",
    "global_atomics",
    "shared_atomics",
    "atomic_conflicts",
    "barriers",
    "executions",
    "warp_executions",
    "active_lanes_percent",
    "flops_float32",
    "flops_float64",
    "integer_ops",
    "global_load_bytes_least",
    "global_load_rereads",
    "global_store_bytes_least",
    "masked_lanes",
    "dot_flops",
    "loop_trips",
)
"""Counter names, the same in totals, per line, in JSON and in budgets.

`..._loads`, `..._stores` and `atomics`: one per active lane; an atomic is neither a load nor a store.
`..._requests`: one per warp that executes the load or store with at least one lane.
`..._sectors`: the 32-byte pieces of memory a global request touches (CUDA C++ Programming Guide, "Device Memory
Accesses"); `..._sectors_ideal` the least that could hold the different bytes it asks for; `..._bytes` what moves, 32
for each sector; `..._bytes_asked` what the lanes ask for, each its own element.
`..._wavefronts`: turns of the shared memory's 32 banks of 4 bytes that a request takes, and `..._bank_conflicts` those
beyond the least that elements of this width need.
`atomic_conflicts`: updates of a cell that another lane of the same warp updates in the same execution, the first of
each cell not counted.
`barriers`: one per block that arrives.
`executions`: one per lane and source line run, `warp_executions` one per warp, and `active_lanes_percent` the first as
a share of 32 lanes for each of the second.
`flops_float32`, `flops_float64`, `integer_ops`: arithmetic as written (see `gpulab.engines.simt.arithmetic`).

Of Triton `..._loads`, `..._stores` and `atomics` count elements, and a request is a program's load or store. There
alone: `..._bytes_least`: bytes of the different elements, each once in the whole launch; `global_load_rereads`: loads
of an element that the launch has loaded before; `masked_lanes`: lanes of loads and stores that a mask leaves out;
`dot_flops`: two for each multiplication of a `tl.dot`; `loop_trips`: rounds of `for` loops, of each program.
"""

PERCENT = "active_lanes_percent"


@dataclass
class Compiled:
    """An estimate of what the compiler leaves of the accesses as written, only where the two differ.

    `totals` and `lines` hold only counters that differ, with their value as compiled; `why` says for each line what
    the compiler does there.
    """

    totals: dict[str, Count] = field(default_factory=dict)
    lines: dict[int, dict[str, Count]] = field(default_factory=dict)
    why: dict[int, list[str]] = field(default_factory=dict)


@dataclass
class Counters:
    """Counts as written, in total and by source line (see `COUNTERS`), and as compiled where that differs.

    `totals` has every counter; a line only those that are not 0.
    """

    totals: dict[str, Count] = field(default_factory=dict)
    lines: dict[int, dict[str, Count]] = field(default_factory=dict)
    compiled: Compiled = field(default_factory=Compiled)


def active_percent(counts: Mapping[str, Count]) -> float:
    """Active lanes, of 32 in each warp that ran; 0 where none ran."""
    warps = counts.get("warp_executions", 0)
    return round(100 * counts.get("executions", 0) / (32 * warps), 2) if warps else 0.0


def counters_of(
    lines: Mapping[int, Mapping[str, Count]],
    compiled: Mapping[int, Mapping[str, Count]],
    why: Mapping[int, Sequence[str]],
) -> Counters:
    """The counters of a launch from its additive counts by line, as written and (lines that differ) as compiled."""
    written = {line: _ordered(counts) for line, counts in sorted(lines.items())}
    written = {line: counts for line, counts in written.items() if counts}
    totals = _total(written.values())
    differing = {line: _difference(written.get(line, {}), counts) for line, counts in sorted(compiled.items())}
    differing = {line: counts for line, counts in differing.items() if counts}
    whole = _total([{**written.get(line, {}), **differing.get(line, {})} for line in {*written, *differing}])
    return Counters(
        totals,
        written,
        Compiled(_difference(totals, whole), differing, {line: list(why[line]) for line in differing if line in why}),
    )


def add_counters(several: Iterable[Counters]) -> Counters:
    """The counters of several launches of one file, added up."""
    lines: dict[int, dict[str, Count]] = {}
    compiled: dict[int, dict[str, Count]] = {}
    why: dict[int, list[str]] = {}
    launches = list(several)
    for line in {line for counters in launches for line in (*counters.lines, *counters.compiled.lines)}:
        parts = [counters.lines.get(line, {}) for counters in launches]
        lines[line] = _sum(parts)
        changed = [counters.compiled.lines.get(line, {}) for counters in launches]
        compiled[line] = _sum([{**part, **change} for part, change in zip(parts, changed, strict=True)])
        reasons = (reason for counters in launches for reason in counters.compiled.why.get(line, ()))
        why[line] = list(dict.fromkeys(reasons))
    return counters_of(lines, compiled, {line: reasons for line, reasons in why.items() if reasons})


def _sum(parts: Iterable[Mapping[str, Count]]) -> dict[str, Count]:
    counts: dict[str, Count] = {}
    for part in parts:
        for name, count in part.items():
            if name != PERCENT:
                counts[name] = counts.get(name, 0) + count
    return counts


def _ordered(counts: Mapping[str, Count]) -> dict[str, Count]:
    """Those that are not 0, in the order of `COUNTERS`, with the percentage computed."""
    full = {**counts, PERCENT: active_percent(counts)}
    return {name: full[name] for name in COUNTERS if full.get(name)}


def _total(lines: Iterable[Mapping[str, Count]]) -> dict[str, Count]:
    counts = _sum(lines)
    counts[PERCENT] = active_percent(counts)
    return {name: counts.get(name, 0) for name in COUNTERS}


def _difference(written: Mapping[str, Count], compiled: Mapping[str, Count]) -> dict[str, Count]:
    """The counters of `compiled` that are not as in `written`; the percentage is as written."""
    names = (name for name in COUNTERS if name != PERCENT)
    return {name: compiled.get(name, 0) for name in names if compiled.get(name, 0) != written.get(name, 0)}
