"""One push at a time: hints that were read, and what the next will tell, before it is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import RenderableType

from gpulab.catalog.model import Hint, Puzzle
from gpulab.judge.report import Report
from gpulab.views import code, faults, figures
from gpulab.views.fit import EXPLAINS, STRETCH, Part, fit, space
from gpulab.views.look import DARK, Look
from gpulab.views.page import WIDE, Page
from gpulab.views.prose import prose
from gpulab.views.rows import Row, apart, columns, heading, indented, labelled, paragraph, row, rule, wrapped


@dataclass(frozen=True)
class Hints:
    """A puzzle's hints and how many of them have been read."""

    puzzle: Puzzle
    hints: Sequence[Hint]
    read: int
    solved: bool = False
    report: Report | None = None
    source: str = ""
    """The learner's file, shown beside the hints from 120 columns."""

    @property
    def open(self) -> int:
        """How many are shown: all of them once it is solved."""
        return len(self.hints) if self.solved else min(self.read, len(self.hints))


def render(hints: Hints, *, width: int = 80, ascii: bool = False, look: Look = DARK) -> RenderableType:
    """The hints read so far for a terminal or a pipe."""
    from dataclasses import replace

    look = replace(look, ascii=ascii or look.ascii)
    return page(hints, min(width, WIDE - 1), None, look, keys=False).renderable()


def page(hints: Hints, width: int, height: int | None, look: Look, *, keys: bool = True) -> Page:
    """The hints in one column, or from 120 columns beside the learner's source."""
    if width >= WIDE and hints.source:
        return Page(_wide(hints, width, height, look)).finished(look)
    parts = [Part([*_now(hints, width, look), rule(width, look)]), *_read(hints, width, look), space(),
             *_to_come(hints, width, look, keys), STRETCH]
    foot = _terms(hints, width, look, keys)
    body = None if height is None else height - len(foot)
    return Page(fit(parts, body), foot=foot).finished(look)


def _now(hints: Hints, width: int, look: Look) -> list[Row]:
    """Where the learner stands, so that the hint is read against it."""
    count = row((f"{hints.open} of {len(hints.hints)} {'shown' if hints.solved else 'read'}", look.muted))
    return [apart(row("  ", standing(hints.report, look, hints.source)), count, width)]


def standing(report: Report | None, look: Look, source: str = "") -> Row:
    """`× Now: race, line 16 reads what line 12 writes`; of an older report than `source` it says so."""
    if report is None:
        return row(("○", look.muted), (" Not checked yet.", look.text))
    if report.passed:
        return row(("●", look.good), (" Solved.", look.text))
    when = "Before the last change" if source and report.source != source else "Now"
    return row(("×", look.fault), (f" {when}: {summary(report)}", look.text))


def summary(report: Report) -> str:
    """The verdict and its lines in a few words."""
    diagnosis = report.diagnosis
    if diagnosis is None or diagnosis.line is None:
        return report.verdict
    if diagnosis.kind == "race" and diagnosis.other is not None and diagnosis.other.line != diagnosis.line:
        verbs = (diagnosis.access or "touches", diagnosis.other_access or "touches")
        return f"race, line {diagnosis.line} {verbs[0]} what line {diagnosis.other.line} {verbs[1]}"
    return f"{report.verdict}, line {diagnosis.line}"


def _read(hints: Hints, width: int, look: Look) -> list[Part]:
    parts: list[Part] = []
    for number, hint in enumerate(hints.hints[:hints.open], start=1):
        title = row(f"  {number}  ".rjust(5), (hint.title, look.strong))
        title.stylize(look.accent + look.bold, 0, 4)
        parts += [space(), Part([title, *indented(prose(hint.text, width - 6, look), 5)])]
    if not parts:
        words = "No hint read yet. A hint is a push, not an answer: each tells a little more than the one before."
        parts = [space(), Part(paragraph(words, width, look), EXPLAINS)]
    return parts


def _to_come(hints: Hints, width: int, look: Look, keys: bool) -> list[Part]:
    """What each further hint will tell."""
    if hints.open == len(hints.hints):
        return []
    parts = [Part([rule(width, look)])]
    for number in range(hints.open, len(hints.hints)):
        nearest = number == hints.open
        label = row((f"{number + 1}", look.text if nearest else look.muted))
        words = wrapped(hints.hints[number].tells, width - 20, look, style=look.text if nearest else look.muted)
        lines = labelled(label, words, 5)
        if nearest and keys:
            lines[0] = apart(lines[0], row(("h", look.accent + look.bold), (" show it", look.muted)), width)
        parts += [space(), Part(lines)]
    return parts


def _terms(hints: Hints, width: int, look: Look, keys: bool) -> list[Row]:
    if hints.solved:
        return [rule(width, look), *paragraph("Solved: all hints are open, and so is the reference.", width, look,
                                              style=look.muted)]
    return [rule(width, look), *_terms_rows(hints, width, look, keys)]


def _terms_rows(hints: Hints, width: int, look: Look, keys: bool) -> list[Row]:
    free = "Hints cost no stars. After solving, all of them and the reference are shown."
    ask = ("s", look.accent + look.bold) if keys else (f"gpulab solution {hints.puzzle.id}", look.bright)
    shown = "the reference" if keys else "it"
    stuck = row(("Stuck for good? ", look.muted), ask, (f" shows {shown}, once confirmed.", look.muted))
    return [*paragraph(free, width, look, style=look.muted), *paragraph(stuck, width, look)]


def _wide(hints: Hints, width: int, height: int | None, look: Look) -> list[Row]:
    left = width // 2 - 1
    right = width - left - 1
    room = height or 36
    marks = faults.marks(hints.report, look) if hints.report is not None and hints.report.source == hints.source else []
    at_left = [row("  ", standing(hints.report, look, hints.source)), rule(left, look), row()]
    at_left += code.listing(hints.source, marks, left, look, room - 3)
    count = row((f"{hints.open} of {len(hints.hints)} {'shown' if hints.solved else 'read'}", look.muted))
    top = [Part([apart(row(), count, right), rule(right, look)])]
    parts = [*top, *_read(hints, right, look), space(), *_to_come(hints, right, look, True), STRETCH,
             Part([heading("How hints work", right, look)], EXPLAINS), space(),
             Part(_terms_rows(hints, right, look, True), EXPLAINS), space()]
    return columns(at_left, fit(parts, height), left, width, look, height or 0)


def how_many(read: int, total: int) -> str:
    """`1 of 4 hints read`."""
    return f"{read} of {figures.plural(total, 'hint')} read"
