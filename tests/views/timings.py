"""Times as a card gives them, made up for tests: through the same `as_timing` and `complete` as real ones."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

from gpulab.judge.report import EngineResult, Report, Stars
from gpulab.timing.cards import Card
from gpulab.timing.model import Measured, Plan
from gpulab.timing.occupancy import occupancy
from gpulab.timing.resources import Resources
from gpulab.timing.smi import Seen
from gpulab.timing.worth import as_timing, complete
from gpulab.trace.device import Device
from gpulab.workspace.records import Timed
from tests.views import reports

H200 = Device("NVIDIA H200", "GPU-1", (9, 0), 150 << 30, 140 << 30, 132, 60 << 20, 1980000, 3201000, 6016, (13, 0),
              "580.1")
CARD = Card("GPU-1", "580.1", "NVIDIA H200", copy=4.19e12, fma=60e12, matmul=50.7e12)
N = 1 << 26
SIDE = 4096


def near(median: float, spread: float = 0.006) -> list[float]:
    """Forty times around a median."""
    return [median * (1 + spread * (place % 5 - 2) / 2) for place in range(40)]


def needs(registers: int, threads: int, shared: int = 0) -> Resources:
    """What a compiler tells."""
    return Resources((9, 0), registers, 0, 0, 0, shared, threads, 0, occupancy((9, 0), threads, registers, shared))


def copying(ms: float, *, fast: float | None = 0.15, spread: float = 0.006, seen: Seen | None = None) -> dict[str, Any]:
    """Pooling: bytes are its limit."""
    measured = Measured(near(ms, spread), near(0.130), 120, 240 << 20, 3, 0.02, needs(16, 64, 264))
    timing = as_timing(measured, Plan(), H200, seen or Seen("580.1"), sizes={"n": N}, bytes_moved=8 * N, flops=0,
                       limit="copy", fast=fast, elements=N)
    return _held(timing)


def multiplying(ms: float, *, registers: int = 38) -> dict[str, Any]:
    """A matrix product: arithmetic is its limit."""
    measured = Measured(near(ms, 0.02), near(0.055), 30, 240 << 20, 3, 0.02, needs(registers, 256, 2048))
    timing = as_timing(measured, Plan(), H200, Seen("580.1"), sizes={"m": SIDE, "n": SIDE, "k": SIDE},
                       bytes_moved=12 * SIDE**2, flops=2 * SIDE**3, limit="float32", fast=0.12, elements=SIDE**2)
    return _held(timing)


def _held(timing: dict[str, Any]) -> dict[str, Any]:
    held = complete(Report("t/p", "f", "passed", Stars(True), 1, timing=timing), CARD).timing
    assert held is not None
    return dict(held)


def passed(ms: float = 0.634, reference: float | None = 0.62) -> Report:
    """Pooling, right in the simulator and on the GPU, and timed."""
    timing = copying(ms)
    if reference is not None:
        timing["reference"] = copying(reference)
    found = reports.passed()
    sim = replace(found.engines["sim"], elements=1000, counters={"totals": {
        "flops_float32": 2000, "global_load_sectors": 140, "global_load_sectors_ideal": 140,
        "global_store_sectors": 125, "global_store_sectors_ideal": 125}})
    gpu = EngineResult("passed", [*reports.cases(), replace(reports.cases()[0], sizes={"n": 524285}, of=524285,
                                                             tags="larger")], seconds=0.02, device=H200)
    return replace(found, stars=Stars(True, True, timing["fast"]), timing=timing, engines={"sim": sim, "gpu": gpu})


def attempts(*times: float | None, puzzle: str = "shared/pooling") -> list[Timed]:
    """A check a day; None was not right."""
    return [Timed(puzzle, datetime(2026, 11, 12 + day, 14, 2, 31), "race" if ms is None else "passed",
                  None if ms is None else copying(ms)) for day, ms in enumerate(times)]
