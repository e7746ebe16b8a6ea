"""What a kernel needs, and how much of a multiprocessor its blocks fill."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gpulab.views.look import Look
from gpulab.views.rows import Row, row

SQUARES = 32

Resources = Mapping[str, Any]


def squares(told: Resources, look: Look) -> Row:
    """`■■■■■■■■········ 50 %`: threads that an SM holds, of those it could."""
    fits = told.get("occupancy")
    if not fits:
        return row(("not known for this GPU", look.muted))
    full = round(SQUARES * fits["part"])
    return row(("■" * full, look.data[1]), ("·" * (SQUARES - full), look.faint),
               (f" {100 * fits['part']:.0f} %", look.bright))


def sentence(told: Resources) -> str:
    """`8 blocks of 64 threads fit; blocks are the limit.`"""
    fits = told.get("occupancy")
    if not fits:
        return f"{told['registers']} registers a thread"
    if fits["part"] >= 1:
        return f"{fits['blocks']} blocks of {told['threads']} threads fill it"
    least = [name for name, fit in fits["limits"].items() if fit == fits["blocks"]]
    return f"{fits['blocks']} blocks of {told['threads']} threads; {' and '.join(least)} limit"


def facts(told: Resources, look: Look) -> list[Row]:
    """A row for each thing that is used up, and how many blocks it allows."""
    limits = (told.get("occupancy") or {}).get("limits") or {}
    blocks = (told.get("occupancy") or {}).get("blocks")
    shared = told["shared"] + told["dynamic"]
    needs = [("registers", f"{told['registers']} a thread"), ("threads", f"{told['threads']} a block"),
             ("shared memory", f"{shared} B a block"), ("blocks", "")]
    rows = []
    for name, need in needs:
        if name in limits:
            line = row((f"{name:<14}{need:<14}", look.text), (f"{limits[name]:>4} blocks", look.muted))
            rows.append(row(line, (" ◀ limit", look.accent)) if limits[name] == blocks else line)
    return [row((f"{'full':<8}", look.text), squares(told, look)), row(), *rows,
            row((f"{'spills':<14}", look.text), (spills(told), look.text))]


def spills(told: Resources) -> str:
    """What did not fit into registers."""
    if told["spill_stores"] or told["spill_loads"]:
        return f"{told['spill_stores']} B stored, {told['spill_loads']} B loaded"
    return f"none; {told['frame']} B local" if told["frame"] else "none"


def brief(told: Resources) -> str:
    """In a row: `38 registers, 264 B shared, no spills`."""
    shared = told["shared"] + told["dynamic"]
    said = "no spills" if not (told["spill_stores"] or told["spill_loads"]) else f"spills {spills(told)}"
    return f"{told['registers']} registers, {shared} B shared, {said}"
