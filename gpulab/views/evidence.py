"""What backs a diagnosis up, as parts of a page: for one column, and for the right one of two."""

from __future__ import annotations

from gpulab.judge.report import Diagnosis, Mismatch, Report
from gpulab.trace.coordinates import NO_THREAD
from gpulab.views import budget, code, faults, figures, mismatch, notes, race, stars, writes
from gpulab.views.fit import EXPLAINS, PICTURE, Part, space
from gpulab.views.look import Look
from gpulab.views.rows import Row, heading, paragraph, row

BROKEN = ("does not compile", "raised", "crashed", "unsupported", "environment", "not allowed")
"""Verdicts where what Python, Numba or the process said last is the evidence."""


def narrow(report: Report, width: int, look: Look) -> list[Part]:
    """Evidence in one column: the source cut to the lines that matter, then what happened there."""
    diagnosis = report.diagnosis
    if diagnosis is None:
        return _said(report, width, look)
    if diagnosis.mismatch is not None and diagnosis.kind != "over budget":
        return [*_mismatch_narrow(report, diagnosis.mismatch, width, look), *_said(report, width, look)]
    excerpt = _excerpt(report, width, look)
    parts = [Part(excerpt), space()] if excerpt else []
    if diagnosis.kind == "race":
        return [*parts, Part(race.orders(diagnosis, width, look)), *_said(report, width, look)]
    if diagnosis.kind == "over budget":
        parts = [Part(budget.table(stars.budget(report), width, look)), space(), *parts]
    facts = faults.facts(diagnosis, width, look)
    if facts:
        parts += [Part(facts, EXPLAINS), space()]
    return [*parts, *_said(report, width, look)]


def _excerpt(report: Report, width: int, look: Look, most: int = 8, *, around: int = 1,
             gaps: bool = True) -> list[Row]:
    """The lines that matter; with nothing around them, only those that something is said of."""
    marks = faults.marks(report, look)
    if not around:
        most = min(most, len({mark.line for mark in marks}))
    return code.excerpt(report.source, marks, width, look, most=most, around=around, gaps=gaps)


def _mismatch_narrow(report: Report, wrong: Mismatch, width: int, look: Look) -> list[Part]:
    where = report.diagnosis.sizes if report.diagnosis else {}
    table = mismatch.window(wrong, width, look)
    if where and table and table[-1].plain.startswith("   "):
        table[-1] = _labelled(table[-1], figures.sizes(where), look)
    parts = [Part(table), Part(mismatch.picture(wrong, width, look), PICTURE), space()]
    if wrong.write is None:
        excerpt = _excerpt(report, width, look)
        return [*parts, Part(excerpt), space()] if excerpt else parts
    parts.append(Part(paragraph(writes.sentence(wrong.write), width, look, style=look.muted), EXPLAINS))
    parts.append(Part(_excerpt(report, width, look, most=4, gaps=False),
                      short=_excerpt(report, width, look, most=4, around=0, gaps=False)))
    parts.append(Part(writes.operands(wrong.write, width, look)))
    return [*parts, space()]


def _labelled(line: Row, label: str, look: Look) -> Row:
    """`line`, which begins with blanks, with a label in them where it fits."""
    free = len(line.plain) - len(line.plain.lstrip())
    if len(label) + 4 > free:
        return line
    return row("  ", (label, look.muted), line[2 + len(label):])


def _said(report: Report, width: int, look: Look) -> list[Part]:
    """Notes, the end of a traceback, and what the file printed."""
    parts: list[Part] = []
    if report.diagnosis is not None and report.diagnosis.traceback:
        parts += [Part(faults.traceback(report, width, look, most=8), EXPLAINS), space()]
    printed = notes.output(report.output, width, look)
    if printed:
        parts += [Part(printed, EXPLAINS), space()]
    remarks = notes.rows(report.notes, width, look)
    if remarks:
        parts += [Part([heading("worth knowing", width, look), *remarks], EXPLAINS), space()]
    return parts


def wide(report: Report, width: int, look: Look) -> list[Part]:
    """Evidence for the right column; the source stands at its left."""
    diagnosis = report.diagnosis
    parts: list[Part] = []
    if diagnosis is not None and diagnosis.mismatch is not None and diagnosis.kind != "over budget":
        parts = _mismatch_wide(diagnosis, diagnosis.mismatch, width, look)
    elif diagnosis is not None and diagnosis.kind == "race":
        parts = _race_wide(diagnosis, width, look)
    elif diagnosis is not None and diagnosis.kind == "over budget":
        parts = [*section("What was counted, and the most that is asked", width, look),
                 Part(budget.table(stars.budget(report), width, look)), space()]
    if diagnosis is not None:
        parts += _fault_wide(report, diagnosis, width, look)
    printed = notes.output(report.output, width, look, most=12)
    if printed:
        parts += [Part(printed, EXPLAINS), space()]
    remarks = notes.rows(report.notes, width, look)
    if remarks:
        parts += [*section("Worth knowing", width, look), Part(remarks, EXPLAINS), space()]
    return parts


def section(title: str, width: int, look: Look) -> list[Part]:
    """A heading and the blank row below it."""
    return [Part([heading(title, width, look)]), space()]


def _mismatch_wide(diagnosis: Diagnosis, wrong: Mismatch, width: int, look: Look) -> list[Part]:
    sizes = f", {figures.sizes(diagnosis.sizes)}" if diagnosis.sizes else ""
    parts = [*section(f"Around the first wrong element{sizes}", width, look),
             Part(mismatch.window(wrong, width, look)), space()]
    picture = mismatch.picture(wrong, width, look, most_rows=6, axis=True)
    title = f"All of {wrong.array}: one row per block" if wrong.row else f"All of {wrong.array}"
    if picture:
        parts += [Part([heading(title, width, look)], PICTURE), space(), Part(picture, PICTURE), space()]
    if wrong.write is not None and wrong.write.operands:
        parts += section(f"How {figures.element(wrong.write.array, wrong.write.index)} came about", width, look)
        parts += [Part(paragraph(writes.sentence(wrong.write), width, look, style=look.muted), EXPLAINS), space()]
        parts += [Part(writes.operands(wrong.write, width, look)), space()]
    if wrong.also:
        parts += [Part(paragraph(f"Wrong too: {figures.listed(wrong.also)}.", width, look), EXPLAINS), space()]
    return parts


def _race_wide(diagnosis: Diagnosis, width: int, look: Look) -> list[Part]:
    programs = diagnosis.thread == NO_THREAD
    block = "" if programs or diagnosis.block is None else f"Block {figures.coordinates(diagnosis.block)}, "
    cell = race.shared_cell(diagnosis, width, look)
    parts: list[Part] = []
    if cell:
        title = f"{block}{figures.sizes(diagnosis.sizes)}: one element, two {'programs' if programs else 'threads'}"
        parts = [*section(title, width, look), Part(cell, PICTURE), space()]
    lanes = race.timelines(diagnosis, width, look)
    if lanes:
        parts += section("Both orders are allowed, and they differ", width, look)
        parts += [Part(lanes), Part(paragraph(race.why_order_is_free(diagnosis) + ".", width, look), EXPLAINS), space()]
    return parts


def _fault_wide(report: Report, diagnosis: Diagnosis, width: int, look: Look) -> list[Part]:
    parts: list[Part] = []
    facts = faults.facts(diagnosis, width, look)
    if facts:
        parts += [*section("Where", width, look), Part(facts), space()]
    said = faults.traceback(report, width, look, most=16)
    if said:
        parts += [*section("What Python said", width, look), Part(said), space()]
    return parts
