"""What the Timing page knows, and what follows from it: bars, rates, the place under the roof."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Protocol

from gpulab.catalog.model import Puzzle

if TYPE_CHECKING:
    from gpulab.judge.report import Report

Timing = Mapping[str, Any]
"""`Report.timing`."""

LIMITS = {"copy": "copy rate", "float32": "float32 rate"}


class TimedLike(Protocol):
    """One recorded check and what it timed; the workspace's records have it."""

    @property
    def puzzle(self) -> str: ...
    @property
    def when(self) -> datetime: ...
    @property
    def verdict(self) -> str: ...
    @property
    def timing(self) -> dict[str, Any] | None: ...


@dataclass(frozen=True)
class Shown:
    """Everything the page shows."""

    puzzle: Puzzle
    report: Report | None = None
    """Of the last check."""
    stale: bool = False
    """Whether the file has changed since."""
    timing: Timing | None = None
    """The newest time of the learner's file."""
    when: datetime | None = None
    """When that was taken, where it is of an older file."""
    reference: Timing | None = None
    attempts: Sequence[TimedLike] = ()
    """Checks of this puzzle, oldest first."""
    others: Sequence[TimedLike] = ()
    """The newest time of each other puzzle."""
    planned: Timing | None = None
    """What would be timed: `sizes`, `bytes`, `flops`, `limit`, `fast_asked`."""
    resources: Timing | None = None
    asking: bool = False
    """Whether the compiler is being asked."""
    gpu: bool = False
    today: date = field(default_factory=date.today)

    @property
    def facts(self) -> Timing | None:
        """The problem that is timed: its sizes, bytes, operations, limit."""
        return self.timing or self.planned


@dataclass(frozen=True)
class Bar:
    """One time: `kind` is "yours", "reference", "baseline" or "limit"."""

    name: str
    about: str
    kind: str
    ms: float
    spread: float | None = None


def bars(shown: Shown, timing: Timing) -> list[Bar]:
    """The slowest first."""
    found = [Bar("yours", f"median of {timing['runs']} runs", "yours", timing["yours_ms"], timing["spread"])]
    if shown.reference is not None:
        found.append(Bar("reference", "the lab's own solution", "reference", shown.reference["yours_ms"],
                         shown.reference["spread"]))
    spreads = timing.get("baseline_spreads") or {}
    for name, ms in timing["baselines"].items():
        about = "as many bytes, in turn with yours" if name == "copy" else ""
        found.append(Bar("a copy" if name == "copy" else name, about, "baseline", ms, spreads.get(name)))
    if timing.get("limit_ms"):
        found.append(Bar("limit", f"this card's {LIMITS.get(timing['limit'], timing['limit'])}", "limit",
                         timing["limit_ms"]))
    return sorted(found, key=lambda bar: -bar.ms)


def target(timing: Timing) -> float | None:
    """Milliseconds that earn the third star; None where none is asked, or the card's limit is not known."""
    asked, limit = timing.get("fast_asked"), timing.get("limit_ms")
    return limit / asked if asked and limit else None


def unit(timing: Timing) -> tuple[str, float]:
    """What a time is worth, and how much of it a millisecond is: ("GB/s", ...) or ("TFLOP/s", ...)."""
    if timing["limit"] == "copy":
        return "GB/s", timing["bytes"] / 1e6
    return "TFLOP/s", timing["flops"] / 1e9


def rate(timing: Timing, ms: float) -> str:
    """`846`, `8.6`: rounded down, so that no figure passes the roof."""
    _, work = unit(timing)
    return down(work / ms) if ms and work else ""


def down(number: float) -> str:
    """Three digits at most, rounded down."""
    places = 0 if number >= 100 else 1 if number >= 10 else 2
    scale = 10 ** places
    return f"{int(number * scale) / scale:.{places}f}"


def sizes(facts: Timing) -> str:
    """`n = 67,108,864`."""
    return ", ".join(f"{name} = {size:,}" for name, size in facts["sizes"].items())


def size(count: float) -> str:
    """Bytes as the roofline speaks of them: `537 MB`, `4.2 GB`."""
    for name, scale in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= scale:
            return f"{count / scale:.3g} {name}"
    return f"{count:.0f} bytes"


def operations(shown: Shown, facts: Timing) -> float:
    """float32 operations of the problem that is timed: what the puzzle says, else as many an output as were counted in
    the simulator."""
    if facts.get("flops"):
        return float(facts["flops"])
    counted = shown.report.engines.get("sim") if shown.report is not None else None
    outputs = facts.get("elements")
    if counted is None or not counted.elements or not outputs:
        return 0.0
    return counted.counters.get("totals", {}).get("flops_float32", 0) / counted.elements * float(outputs)


def intensity(shown: Shown, facts: Timing) -> float:
    """Operations per byte that the problem needs; 0 where it has none."""
    return operations(shown, facts) / facts["bytes"] if facts.get("bytes") else 0.0


def sectors_ratio(report: Report | None) -> float | None:
    """Sectors moved over the least that the lanes' addresses need, in the simulator."""
    result = report.engines.get("sim") if report is not None else None
    totals = result.counters.get("totals", {}) if result is not None else {}
    moved = totals.get("global_load_sectors", 0) + totals.get("global_store_sectors", 0)
    least = totals.get("global_load_sectors_ideal", 0) + totals.get("global_store_sectors_ideal", 0)
    return moved / least if least else None
