"""The Lab's tabs as pages: state in, rows out."""

from __future__ import annotations

from gpulab.tui.keymap import TABS
from gpulab.tui.lab_state import LabState
from gpulab.views import brief, hints, result, source, stars
from gpulab.views.look import Look
from gpulab.views.page import WIDE, Page
from gpulab.views.rows import Row, blank, paragraph, row

TITLES = {tab: f"{number} {tab.capitalize()}" for number, tab in enumerate(TABS, start=1)}


def title(state: LabState, look: Look) -> tuple[Row, Row]:
    """Row 1: which puzzle; its stars and where it is checked."""
    number, count = state.place
    left = row((f"{state.puzzle.track} / ", look.muted), (state.puzzle.name, look.strong),
               (f"  {number} of {count}", look.muted))  # fmt: skip
    return left, row(stars.three(state.standing.stars, look, state.puzzle), ("   simulated", look.muted))


def page(state: LabState, width: int, height: int, look: Look) -> Page:
    """The page of the tab that is open."""
    return {"brief": _brief, "code": _code, "result": _result, "hints": _hints}[state.tab](state, width, height, look)


def _brief(state: LabState, width: int, height: int, look: Look) -> Page:
    known = brief.Brief(state.puzzle, state.statement, state.shown_file, state.starter, state.standing.stars)
    return brief.page(known, width, height, look)


def _code(state: LabState, width: int, height: int, look: Look) -> Page:
    return source.page(source.Source(state.shown_file, state.source, state.report, state.pan), width, look)


def _result(state: LabState, width: int, height: int, look: Look) -> Page:
    if state.report is None:
        return _no_result(state, width, look)
    solved = state.solved_page() if state.report.passed else None
    shown = result.Shown(state.report, state.puzzle, solved, watching=True,
                         saved=state.saved_words(80) if state.saved and width >= WIDE else "")  # fmt: skip
    return result.page(shown, width, height, look)


def _no_result(state: LabState, width: int, look: Look) -> Page:
    words = row(("Nothing is checked yet. ", look.strong), ("Write the kernel in ", look.text),
                (state.shown_file, look.bright), (" and save: the check runs by itself. ", look.text),
                ("r", look.accent + look.bold), (" runs it now, ", look.text), ("e", look.accent + look.bold),
                (" opens your editor.", look.text))  # fmt: skip
    return Page([blank(), *paragraph(words, width, look)]).finished(look)


def _hints(state: LabState, width: int, height: int, look: Look) -> Page:
    known = hints.Hints(state.puzzle, state.hints, state.hints_read, state.solved, state.report, state.source or "")
    return hints.page(known, width, height, look)
