"""The Memory tab as a page: the view that is on, or why there is no picture and what to do about it."""

from __future__ import annotations

from gpulab.judge.report import Report
from gpulab.tui.lab_state import LabState
from gpulab.tui.memory import Memory
from gpulab.views import band, finding, gutter, instrument, lines
from gpulab.views.look import Look
from gpulab.views.page import Page
from gpulab.views.result import next_rows
from gpulab.views.rows import Row, blank, paragraph, row

MAKING = "One small case is run with every load and store kept. It takes a second or two; escape gives it up."
GIVEN_UP = "The picture was given up. m makes it."
OF_BEFORE = "This picture is of the file before."


def page(state: LabState, width: int, height: int, look: Look, *, drawing: bool) -> Page:
    """The picture of the file, or what is being done, or what is missing for one."""
    memory = state.memory
    if state.source is None:
        words = row(("There is no file, so there is nothing to draw: ", look.text), ("3", look.accent + look.bold),
                    (" says how to begin again.", look.text))
        return _page(look, paragraph(words, width, look))
    outdated = memory.source != state.source
    if memory.drawing is None or (outdated and memory.scene is None):
        return _page(look, paragraph(MAKING if drawing else GIVEN_UP, width, look))
    if memory.scene is None:
        return _nothing(memory, width, look)
    foot = _outdated(drawing, width, look) if outdated else _next(state, width, look)
    drawn = picture(memory, width, height - len(foot), look)
    return Page(drawn.body, drawn.band, foot).finished(look)


def _outdated(drawing: bool, width: int, look: Look) -> list[Row]:
    """That the picture is not of what was saved since, as long as it is not."""
    return next_rows(f"{OF_BEFORE} {'The new one is being made.' if drawing else 'm makes the new one.'}", width, look)


def _next(state: LabState, width: int, look: Look) -> list[Row]:
    """What the result asks for, where it is of this file and no more than a row."""
    diagnosis = state.report.diagnosis if state.report is not None and not state.stale else None
    rows = next_rows(diagnosis.next, width, look) if diagnosis is not None and diagnosis.next else []
    return rows if len(rows) == 1 else []


def _page(look: Look, rows: list[Row], *more: Row, top: list[Row] | None = None) -> Page:
    return Page([blank(), *rows, *more], band=top or []).finished(look)


def picture(memory: Memory, width: int, height: int, look: Look) -> Page:
    """The view that is on. There must be a scene."""
    scene = memory.scene
    assert scene is not None
    if memory.what == "finding" and memory.fault is not None:
        return finding.page(memory.fault, width, look, height)
    if memory.what == "source":
        chosen = scene.step.line if scene.warp.steps else None
        return lines.page(scene, width, look, chosen=chosen)
    return instrument.page(memory.what, scene, width, look, cells=memory.cells, first_cell=memory.first_cell,
                           height=height)


# ---- no picture -----------------------------------------------------------------------------------------------------


def _nothing(memory: Memory, width: int, look: Look) -> Page:
    """Why, in a sentence; then what to do."""
    assert memory.drawing is not None
    report = memory.drawing.report
    if memory.drawing.drawn:
        return _touches_nothing(memory, report, width, look)
    return _not_run(report, width, look)


def _touches_nothing(memory: Memory, report: Report, width: int, look: Look) -> Page:
    """It ran and did nothing to memory: the kernel, with the lines that ran."""
    assert memory.drawing is not None
    run = next(run for run in memory.drawing.launches if run.picture is not None)
    top = band.of_words("NO PICTURE", f"{run.kernel} ran, and touched no memory.", width, look)
    do = "Load something, store something, save: then every access is drawn here, step by step."
    shown = gutter.kernel_lines(run.counters.lines, run.findings, report.source)
    table = gutter.table(report.source, shown, [], width, look) if shown else []
    return _page(look, paragraph(do, width, look), blank(), *table, top=top)


def _not_run(report: Report, width: int, look: Look) -> Page:
    """It could not be run, or is a bug hunt that is not answered yet."""
    diagnosis = report.diagnosis
    message = diagnosis.message if diagnosis is not None else f"It ended with: {report.verdict}."
    hunted = report.hunt is not None and report.hunt.answer != "right"
    top = band.of_words("HUNT FIRST" if hunted else "NO PICTURE", message, width, look)
    rows = paragraph(diagnosis.detail, width, look) if diagnosis is not None and diagnosis.detail else []
    if hunted:
        do = "A picture would show the bug at once. Find it by reading, name its line and kind in ANSWER, and save."
    elif report.verdict == "environment":
        do = (diagnosis.next if diagnosis is not None else "") or "This is no fault of your file: check again."
    else:
        do = "Only what runs can be drawn. Mend that and save: the picture is made anew."
    more = row(("3", look.accent + look.bold), (" has the whole result.", look.muted))
    return _page(look, rows, *paragraph(do, width, look, style=look.strong), blank(), row("  ", more), top=top)
