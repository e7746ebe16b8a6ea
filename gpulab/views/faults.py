"""Marks and facts of the faults that are neither race, wrong answer nor budget."""

from __future__ import annotations

import re

from gpulab.judge.report import Diagnosis, Report
from gpulab.trace.coordinates import NO_THREAD
from gpulab.views import budget, figures, race, stars, writes
from gpulab.views.code import Mark
from gpulab.views.look import Look
from gpulab.views.naming import thread_dims
from gpulab.views.notes import printable
from gpulab.views.rows import Row, paragraph, row

MOST_TRACEBACK = 10


def marks(report: Report, look: Look) -> list[Mark]:
    """What the source's margin says about this report, whatever its verdict."""
    diagnosis = report.diagnosis
    if diagnosis is None:
        return []
    if diagnosis.kind == "race":
        return race.marks(diagnosis, look)
    if diagnosis.mismatch is not None and diagnosis.mismatch.write is not None:
        return writes.marks(diagnosis.mismatch.write, look)
    if diagnosis.kind == "over budget":
        lines = budget.marks(stars.budget(report), look)
        if lines:
            return lines
    return _of_line(diagnosis, look)


def of_lines(diagnosis: Diagnosis, look: Look) -> list[Mark]:
    """The same for a fault that is told by its lines alone."""
    return race.marks(diagnosis, look) if diagnosis.kind == "race" else _of_line(diagnosis, look)


def _of_line(diagnosis: Diagnosis, look: Look) -> list[Mark]:
    if diagnosis.line is None:
        return []
    if diagnosis.kind == "barrier divergence":
        return _barrier(diagnosis, diagnosis.line, look)
    who, what = _said(diagnosis)
    said = [Mark(diagnosis.line, who, what, look.fault, (who.split(" of ")[0], what))]
    if diagnosis.other is not None and diagnosis.other.line != diagnosis.line:
        other = diagnosis.other
        who = figures.alone(other.thread, other.block)
        said.append(Mark(other.line, who, diagnosis.other_access or "is here", look.accent))
    return said


def _barrier(diagnosis: Diagnosis, line: int, look: Look) -> list[Mark]:
    """Who waits at the barrier, and who never comes; at a warp-level call, whose masks do not fit."""
    dims = thread_dims(diagnosis)
    away = figures.thread(diagnosis.thread, dims=dims) if diagnosis.thread is not None else "not every thread"
    does = diagnosis.access or ("never comes here" if diagnosis.thread is not None else "comes here")
    missing = Mark(line, away, does, look.fault)
    if diagnosis.other is None:
        return [missing]
    waits = diagnosis.other_access or "waits here"
    return [Mark(diagnosis.other.line, figures.thread(diagnosis.other.thread, dims=dims), waits, look.accent),
            missing]


def _said(diagnosis: Diagnosis) -> tuple[str, str]:
    """(who, what) of the one line a diagnosis names."""
    dims = thread_dims(diagnosis)
    who = figures.thread(diagnosis.thread, diagnosis.block, dims) if diagnosis.thread is not None else ""
    cell = figures.element(diagnosis.array, diagnosis.index)
    verb = diagnosis.access or _VERBS.get(diagnosis.kind, "")
    if diagnosis.kind in ("does not compile", "raised", "timed out", "unsupported", "not allowed"):
        return (who, _HERE[diagnosis.kind]) if who else (_HERE[diagnosis.kind], "")
    return (who, f"{verb} {cell}".strip()) if who else (f"{verb} {cell}".strip() or "here", "")


_VERBS = {
    "out of bounds": "touches",
    "uninitialised read": "reads",
    "input modified": "writes",
    "wrong answer": "writes",
}
_HERE = {
    "does not compile": "stops here",
    "raised": "raised here",
    "timed out": "never leaves this line",
    "unsupported": "this",
    "not allowed": "this",
}


def where(diagnosis: Diagnosis) -> str:
    """`n = 129, block 2, thread 40`: the case and the thread, as far as they are known. For a text that is folded."""
    parts = [figures.sizes(diagnosis.sizes, figures.TOGETHER)] if diagnosis.sizes else []
    if diagnosis.thread == NO_THREAD:
        return ", ".join([*parts, figures.thread(NO_THREAD, diagnosis.block)])
    if diagnosis.block is not None:
        parts.append(f"block {figures.coordinates(diagnosis.block)}")
    if diagnosis.thread is not None:
        parts.append(f"thread {figures.coordinates(diagnosis.thread, thread_dims(diagnosis))}")
    return ", ".join(parts)


def facts(diagnosis: Diagnosis, width: int, look: Look) -> list[Row]:
    """One sentence that places the fault: in which case, and who."""
    if not diagnosis.sizes or diagnosis.kind in ("does not compile", "race", "wrong answer"):
        return []
    begins = "Counted with " if diagnosis.kind == "over budget" else "Seen first with "
    words = row((begins, look.muted), (where(diagnosis), look.text), (".", look.muted))
    return paragraph(words, width, look)


def traceback(report: Report, width: int, look: Look, *, most: int | None = MOST_TRACEBACK) -> list[Row]:
    """The end of what Python or Numba said, without its colours and without the way to the learner's file."""
    said = report.diagnosis.traceback if report.diagnosis is not None else ""
    text = printable(_ESCAPES.sub("", said)).strip("\n").replace(report.file, report.file.rsplit("/", 1)[-1])
    if not text:
        return []
    lines = _folded(text.splitlines())
    shown = lines if most is None else lines[-most:]
    while shown and not shown[0].strip():
        shown = shown[1:]
    rows: list[Row] = [row(("  ...", look.muted))] if len(shown) < len(lines) else []
    moved = 0
    for line in shown:
        indent = len(line) - len(line.lstrip())
        if not _UNDERLINES.fullmatch(line):  # marks stay below what they mark
            moved = indent - min(indent, 8)
        rows += paragraph(row((line.strip(), look.text)), width, look, indent=2 + indent - min(moved, indent))
    return rows


FOLDED = "(Numba then lists all it tried: gpulab check --json has it.)"


def _folded(lines: list[str]) -> list[str]:
    """Without Numba's list of overloads that do not fit: what does not fit is said in the lines before it."""
    start = next((place for place, line in enumerate(lines) if _CANDIDATES.match(line.strip())), None)
    return lines if not start else [*lines[:start], FOLDED]


_UNDERLINES = re.compile(r"\s*[\^~][\^~ ]*")
_CANDIDATES = re.compile(r"There (are|is) \d+ candidate implementations?")
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
