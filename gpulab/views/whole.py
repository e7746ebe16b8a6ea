"""Many puzzles checked one after another: a row each, its result as it comes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gpulab.catalog.model import Puzzle
from gpulab.judge.report import Report
from gpulab.views import band, figures
from gpulab.views import stars as star_views
from gpulab.views.look import Look
from gpulab.views.page import Page
from gpulab.views.rows import Row, apart, blank, padded, row

WAITING, RUNNING, DONE, LEFT_OUT = "waiting", "running", "done", "left out"


@dataclass
class Entry:
    """One puzzle: `state` is "waiting", "running", "done" or "left out"."""

    puzzle: Puzzle
    state: str = WAITING
    words: str = ""
    """What the check is doing, or why it is left out."""
    report: Report | None = None

    @property
    def passed(self) -> bool:
        return self.report is not None and self.report.passed


def page(title: str, entries: Sequence[Entry], chosen: int, width: int, look: Look) -> Page:
    """The band says how far it is; below it a row for each puzzle."""
    rows = [_row(entry, place == chosen, title, width, look) for place, entry in enumerate(entries)]
    return Page(rows or [blank()], [*_band(title, entries, width, look), blank()]).finished(look)


def _band(title: str, entries: Sequence[Entry], width: int, look: Look) -> list[Row]:
    wanted = [entry for entry in entries if entry.state != LEFT_OUT]
    done = [entry for entry in wanted if entry.state == DONE]
    passed, failed = sum(entry.passed for entry in done), sum(not entry.passed for entry in done)
    told = f"{passed} passed, {failed} not." if failed else f"{passed} passed."
    if not wanted:
        return band.of_words("NOTHING TO CHECK", f"No file of {title} is begun yet.", width, look)
    if any(entry.state == RUNNING for entry in wanted):
        return band.of_words("CHECKING", f"{len(done)} of {figures.plural(len(wanted), 'file')} checked: {told}", width,
                             look, "Each result is kept as it comes; escape ends it.")
    if len(done) < len(wanted):
        return band.of_words("GIVEN UP", f"{len(done)} of {figures.plural(len(wanted), 'file')} checked: {told}", width,
                             look, "r begins again.")
    return band.of_words("CHECKED", f"{figures.plural(len(wanted), 'file')}: {told}", width, look, good=not failed)


def _row(entry: Entry, chosen: bool, title: str, width: int, look: Look) -> Row:
    mark, hue = {WAITING: ("·", look.faint), RUNNING: ("▶", look.accent), LEFT_OUT: ("○", look.muted)}.get(
        entry.state, ("●", look.good) if entry.passed else ("×", look.fault))
    puzzle, report = entry.puzzle, entry.report
    name = puzzle.name if puzzle.track == title else f"{puzzle.track} / {puzzle.name}"
    line = row(("▌ " if chosen else "  ", look.accent), (f"{mark} ", hue),
               (f"{name:<24}", look.strong if chosen else look.text if entry.state != LEFT_OUT else look.muted))
    if report is not None:
        line = row(line, star_views.three(report.stars, look, puzzle), "  ", _found(report, look))
        spent = report.seconds.get("total")
        line = apart(line, row((figures.seconds(spent) if spent is not None else "", look.muted)), width)
    elif entry.words:
        line.append(entry.words, look.accent if entry.state == RUNNING else look.muted)
    return row(padded(line, width), style=look.chosen if chosen else "")


def _found(report: Report, look: Look) -> Row:
    if report.passed:
        return row(("passed", look.text))
    line = report.diagnosis.line if report.diagnosis is not None else None
    return row((report.verdict, look.fault), (f" on line {line}" if line is not None else "", look.text))
