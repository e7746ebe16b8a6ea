"""What a measured time is worth: as a fraction of this card's limit, as a star, and whether it can be true at all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from gpulab.timing.cards import Card, shortest
from gpulab.timing.model import Measured, Plan, summary_of
from gpulab.timing.smi import Seen
from gpulab.trace.device import Device
from gpulab.trace.model import Note

if TYPE_CHECKING:
    from gpulab.judge.report import Report

BUSY = 0.10
"""An interquartile range of more than this part of the median: something else was going on."""


def as_timing(measured: Measured, plan: Plan, device: Device, seen: Seen, *, sizes: Mapping[str, int],
              bytes_moved: int, flops: int, limit: str, fast: float | None, elements: int = 0) -> dict[str, Any]:
    """`Report.timing` as far as the judge knows it; `complete` holds it against the card."""
    yours = summary_of(measured.yours)
    baselines = {"copy": summary_of(measured.copies)} if measured.copies else {}
    seconds = yours.median / 1000
    return {
        "yours_ms": yours.median, "low_ms": yours.low, "high_ms": yours.high, "runs": yours.runs,
        "spread": yours.spread,
        "baselines": {name: one.median for name, one in baselines.items()},
        "baseline_spreads": {name: one.spread for name, one in baselines.items()},
        "limit": limit, "limit_ms": None, "percent_of_limit": None, "fast_asked": fast,
        "sizes": dict(sizes), "elements": elements, "bytes": bytes_moved, "flops": flops,
        "bytes_per_second": bytes_moved / seconds if seconds else None,
        "flops_per_second": flops / seconds if seconds else None,
        "warm_runs": measured.warm_runs, "input_sets": measured.sets, "flushed_bytes": measured.flushed,
        "host_ms": measured.host, "device": asdict(replace(device, driver=seen.driver)), "card": None,
        "resources": asdict(measured.resources) if measured.resources else None,
        "flags": flags(measured, plan, seen), "rejected": "",
    }


def flags(measured: Measured, plan: Plan, seen: Seen) -> list[str]:
    """What makes these times worth less, in sentences; empty where nothing does."""
    yours = summary_of(measured.yours)
    found = []
    if yours.spread > BUSY:
        found.append(f"The machine is busy: half of the runs spread over {100 * yours.spread:.0f} % of the median.")
    if seen.others:
        found.append(f"{seen.others} other program{'s use' if seen.others > 1 else ' uses'} this GPU.")
    if seen.slowed:
        found.append(f"The card's clocks are held back: {seen.slowed}.")
    if yours.runs < plan.least:
        found.append(f"Only {yours.runs} runs were timed: one takes {yours.median / 1000:.1f} s.")
    return found


def complete(report: Report, card: Card | None) -> Report:
    """The report with its time held against the card's limit: the fraction, and the third star."""
    timing = report.timing
    if timing is None:
        return report
    told: dict[str, Any] = dict(timing)
    device = device_of(told)
    rate = card.rate(told["limit"]) if card else None
    work = told["bytes"] if told["limit"] == "copy" else told["flops"]
    if rate and work:
        told["limit_ms"] = 1000 * work / rate
        told["percent_of_limit"] = 100 * told["limit_ms"] / told["yours_ms"] if told["yours_ms"] else None
    told["card"] = asdict(card) if card else None
    least = shortest(device, card, told["bytes"], told["flops"])
    if told["yours_ms"] < least:
        told["rejected"] = (f"{told['yours_ms']:.4g} ms cannot be true: this card needs {least:.4g} ms at least for "
                            "that much work.")
    told["fast"] = _fast(told)
    stars = replace(report.stars, fast=told["fast"])
    notes = [*report.notes, *(Note("timing", said, 0) for said in (told["rejected"], *told["flags"]) if said)]
    return replace(report, timing=told, stars=stars, notes=notes)


def device_of(timing: Mapping[str, Any]) -> Device:
    """The GPU that was timed."""
    told = dict(timing["device"])
    return Device(**{**told, "capability": tuple(told["capability"]), "cuda": tuple(told["cuda"])})


def _fast(timing: Mapping[str, Any]) -> bool | None:
    """The star; None where it was not asked for, cannot be told, or was missed while something disturbed."""
    asked, percent = timing["fast_asked"], timing["percent_of_limit"]
    if asked is None or percent is None or timing["rejected"]:
        return None
    if percent >= 100 * asked:
        return True
    return None if timing["flags"] else False
