"""The plain data an engine hands to the judge and the views."""

from __future__ import annotations

from dataclasses import dataclass, field

from gpulab.trace.coordinates import Coordinates as Coordinates
from gpulab.trace.picture import Picture
from gpulab.trace.values import ValueTrace

FINDING_KINDS = (
    "out of bounds",
    "race",
    "barrier divergence",
    "uninitialised read",
    "timed out",
    "raised",
)

COUNTERS = (
    "global_loads",
    "global_stores",
    "global_load_requests",
    "global_load_sectors",
    "global_store_requests",
    "global_store_sectors",
    "shared_loads",
    "shared_stores",
    "shared_load_requests",
    "shared_store_requests",
    "local_loads",
    "local_stores",
    "atomics",
    "global_atomics",
    "shared_atomics",
    "barriers",
    "executions",
)
"""Counter names, the same in totals, per line, in JSON and in budgets.

Loads, stores and atomics count one per active lane; a request is one warp's execution of a global or shared
load or store, and the sectors of a global one are the 32-byte pieces of memory it touches (CUDA C++ Programming Guide,
"Device Memory Accesses"); `barriers` one per block that arrives;
`executions` one per lane and source line run.
"""


@dataclass(frozen=True)
class Site:
    """One thread on one source line."""

    line: int
    block: Coordinates
    thread: Coordinates


@dataclass(frozen=True)
class Outcome:
    """What one allowed schedule of a race leaves behind.

    `order` names the schedule in words ("warp 0 first"); `array[index]` is the first element
    in which the schedules differ, and `value` what it holds after this one. `steps` are
    the two colliding accesses as (block, thread, line, "reads" | "writes" | "updates") in the order this
    schedule runs them.
    """

    order: str
    steps: tuple[tuple[Coordinates, Coordinates, int, str], ...]
    array: str
    index: tuple[int, ...]
    value: float | int | bool | str
    right: bool | None = None
    """Whether `value` is the expected one; None where the engine, which knows no expected values, has not asked."""


@dataclass(frozen=True)
class Finding:
    """A fault. `line` is 1-based in the learner's file; `array` is a parameter's or variable's name."""

    kind: str
    message: str
    line: int
    block: Coordinates | None = None
    thread: Coordinates | None = None
    array: str | None = None
    index: tuple[int, ...] | None = None
    other: Site | None = None
    access: str | None = None
    """What the named thread did: "reads", "writes" or "updates" (an atomic); at a warp-level call, what is amiss."""
    other_access: str | None = None
    count: int = 1
    """How many elements or threads show the same fault on the same line (or pair of lines)."""
    outcomes: tuple[Outcome, ...] = ()
    """Two schedules with two answers, where a search found them (races only)."""
    call: str | None = None
    """The barrier or warp-level call the fault is about: "the barrier", "the shuffle", "the vote", "syncwarp"..."""


@dataclass(frozen=True)
class Note:
    """Legal, but worth saying: float64 creep, a barrier after an early return, `row[-1]`."""

    kind: str
    message: str
    line: int


@dataclass
class Counters:
    """Counted accesses, in total and by source line (see `COUNTERS`)."""

    totals: dict[str, int] = field(default_factory=dict)
    lines: dict[int, dict[str, int]] = field(default_factory=dict)


@dataclass
class Run:
    """Everything one launch did. The arrays themselves were updated in place."""

    kernel: str
    blocks: Coordinates
    threads: Coordinates
    findings: list[Finding] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    counters: Counters = field(default_factory=Counters)
    shared_arrays: int = 0
    """How many shared arrays the kernel declares, dynamic ones included."""
    shared_bytes: int = 0
    """Shared memory of one block in bytes, static and dynamic."""
    seconds: float = 0.0
    printed: str = ""
    values: ValueTrace | None = None
    picture: Picture | None = None
    """Every access, where it was asked for."""
