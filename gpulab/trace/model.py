"""The plain data an engine hands to the judge and the views."""

from __future__ import annotations

from dataclasses import dataclass, field

from gpulab.trace.coordinates import Coordinates as Coordinates
from gpulab.trace.counters import COUNTERS as COUNTERS
from gpulab.trace.counters import Counters as Counters
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
    masked: bool | None = None
    """Of a Triton access: whether it has a mask."""
    lanes: int = 0
    """Of a Triton access: how many lanes take part in it, all programs together."""


@dataclass(frozen=True)
class Note:
    """Legal, but worth saying: float64 creep, a barrier after an early return, `row[-1]`."""

    kind: str
    message: str
    line: int


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
    unit: str = "thread"
    """What runs the kernel's lines: a "thread", or in Triton a "program". Of programs `blocks` is the grid and
    `threads` the tile that one of them owns, as far as the launch says; a finding's `thread` is then `NO_THREAD`."""
