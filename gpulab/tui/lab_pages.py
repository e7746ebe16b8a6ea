"""The Lab's tabs as pages: state in, rows out."""

from __future__ import annotations

from gpulab.judge.report import Report
from gpulab.tui import memory_page
from gpulab.tui.keymap import TABS
from gpulab.tui.lab_state import LabState
from gpulab.tui.paths import with_tilde
from gpulab.views import band, brief, hints, result, source, stars, timing_page
from gpulab.views.look import Look
from gpulab.views.page import WIDE, Page
from gpulab.views.rows import Row, blank, paragraph, row

TITLES = {tab: f"{number} {tab.capitalize()}" for number, tab in enumerate(TABS, start=1)}


def title(state: LabState, look: Look) -> tuple[Row, Row]:
    """Row 1: which puzzle; its stars and where it is checked."""
    number, count = state.place
    left = row((f"{state.puzzle.track} / ", look.muted), (state.puzzle.name, look.strong),
               (f"  {number} of {count}", look.muted))
    best = "best " if state.standing.attempts else ""
    earned = stars.three(state.standing.stars, look, state.puzzle)
    earned.rstrip()
    return left, row((best, look.muted), earned, (f"   {engine(state.report)}", look.muted))


def engine(report: Report | None) -> str:
    """Where the last check's verdict comes from: the GPU's name, or `simulated`."""
    on_gpu = report.engines.get("gpu") if report is not None else None
    if report is None or on_gpu is None or on_gpu.device is None or on_gpu.verdict != report.verdict:
        return "simulated"
    return on_gpu.device.name


def page(state: LabState, width: int, height: int, look: Look, *, checking: bool = False,
         drawing: bool = False) -> Page:
    """The page of the tab that is open. While a check goes on, Result says that it is the one before."""
    if state.tab == "memory":
        return memory_page.page(state, width, height, look, drawing=drawing)
    if state.tab == "result":
        return _result(state, width, height, look, checking)
    return {"brief": _brief, "code": _code, "timing": _timing, "hints": _hints}[state.tab](state, width, height, look)


def _brief(state: LabState, width: int, height: int, look: Look) -> Page:
    known = brief.Brief(state.puzzle, state.statement, state.shown_file, state.starter, state.standing.stars, state.gpu)
    return brief.page(known, width, height, look)


def _code(state: LabState, width: int, height: int, look: Look) -> Page:
    return source.page(source.Source(state.shown_file, state.source, state.report, state.pan), width, look)


def _timing(state: LabState, width: int, height: int, look: Look) -> Page:
    assert state.timing is not None, "the tab was opened"
    return timing_page.page(state.timing.shown(state), width, height, look)


def _result(state: LabState, width: int, height: int, look: Look, checking: bool) -> Page:
    if state.source is None:
        return _no_file(state, width, look)
    if state.report is None:
        return _no_result(state, width, look)
    solved = state.solved_page() if state.report.passed else None
    shown = result.Shown(state.report, state.puzzle, solved, gpu=state.gpu, watching=True, case=state.case,
                         older=_older(state, checking),
                         saved=state.saved_words(80) if state.saved and width >= WIDE else "")
    return result.page(shown, width, height, look)


def _older(state: LabState, checking: bool) -> tuple[str, str]:
    """(word, sentence) in place of the verdict, while it is not the one of the file as it is now."""
    if checking:
        return "CHECKING", "The file is being checked."
    if state.stale:
        words = "The starter is back" if state.is_new else "The file has changed"
        return "NOT CHECKED", f"{words} since the last check: r checks it."
    return "", ""


def _no_file(state: LabState, width: int, look: Look) -> Page:
    word, words = "NO FILE", f"{state.shown_file} is not there any more."
    cure = row(("If your editor still has it, save it there. To begin again: ", look.text),
               ("p", look.accent + look.bold), (", then ", look.text), ("Put the starter back", look.bright),
               (".", look.text))
    if (backups := state.workspace.root / "backups").is_dir():
        cure = row(cure, (" Earlier versions that were set aside are in ", look.text),
                   (with_tilde(backups), look.bright), (".", look.text))
    return Page([blank(), *paragraph(cure, width, look)], band=band.of_words(word, words, width, look)).finished(look)


def _no_result(state: LabState, width: int, look: Look) -> Page:
    words = row(("Nothing is checked yet. ", look.strong), ("Write the kernel in ", look.text),
                (state.shown_file, look.bright), (" and save: the check runs by itself. ", look.text),
                ("r", look.accent + look.bold), (" runs it now, ", look.text), ("e", look.accent + look.bold),
                (" opens your editor.", look.text))
    return Page([blank(), *paragraph(words, width, look)]).finished(look)


def _hints(state: LabState, width: int, height: int, look: Look) -> Page:
    known = hints.Hints(state.puzzle, state.hints, state.hints_read, state.solved, state.report, state.source or "")
    return hints.page(known, width, height, look)
