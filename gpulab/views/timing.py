"""A time on the GPU in a few rows: what it is, beside a copy of the same bytes, and against this card's limit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gpulab.views.look import Look
from gpulab.views.rows import Row, row

LIMITS = {"copy": "copy rate", "float32": "float32 rate"}


def rows(timing: Mapping[str, Any], look: Look) -> list[Row]:
    """The rows of one timing (`Report.timing`), each within 80 columns."""
    found = [row(("  time      ", look.muted), (milliseconds(timing["yours_ms"]), look.bright),
                 (f"  median of {timing['runs']} runs, half within {spread(timing)}", look.muted))]
    for name, time in timing["baselines"].items():
        what = "a copy of as many bytes" if name == "copy" else name
        found.append(row((f"  {'':<10}", look.muted), (milliseconds(time), look.text), (f"  {what}", look.muted)))
    if timing["percent_of_limit"] is not None:
        asked = f", {100 * timing['fast_asked']:.0f} % asked" if timing["fast_asked"] else ""
        found.append(row(("  limit     ", look.muted), (f"{timing['percent_of_limit']:.0f} %", look.bright),
                         (f" of this card's {LIMITS.get(timing['limit'], timing['limit'])}"
                          f"{limit_of(timing)}{asked}", look.muted)))
    found += resources(timing.get("resources"), look)
    for said in (timing["rejected"], *timing["flags"]):
        if said:
            found.append(row(("  note      ", look.muted), (said, look.fault)))
    return found


def resources(told: Mapping[str, Any] | None, look: Look) -> list[Row]:
    """What the kernel needs, and how much of a multiprocessor its blocks fill."""
    if not told:
        return []
    words = [f"{told['registers']} registers", f"{told['shared'] + told['dynamic']} bytes shared"]
    if told["frame"]:
        words.append(f"{told['frame']} bytes local")
    if told["spill_stores"] or told["spill_loads"]:
        words.append(f"spills {told['spill_stores']} + {told['spill_loads']}")
    fits = told["occupancy"]
    if fits:
        words.append(f"{fits['blocks']} blocks, {100 * fits['part']:.0f} % of the threads an SM holds")
    return [row(("  needs     ", look.muted), (", ".join(words), look.text))]


def milliseconds(time: float) -> str:
    """`0.128 ms`, `34.2 ms`, `4.31 us`."""
    return f"{time * 1000:.3g} us" if time < 0.01 else f"{time:.3g} ms" if time < 1000 else f"{time:.0f} ms"


def spread(timing: Mapping[str, Any]) -> str:
    """The interquartile range, as a part of the median."""
    return f"{100 * timing['spread']:.1f} %"


def limit_of(timing: Mapping[str, Any]) -> str:
    """` of 4.20 TB/s`."""
    card = timing.get("card") or {}
    if timing["limit"] == "copy":
        return f" ({card['copy'] / 1e12:.2f} TB/s)" if card.get("copy") else ""
    rate = card.get("matmul") or card.get("fma")
    return f" ({rate / 1e12:.1f} TFLOP/s)" if rate else ""
