"""The whole result of a check: diagnosis, evidence, cases, stars, and what to do next."""

from __future__ import annotations

from dataclasses import dataclass

from rich.console import RenderableType

from gpulab.catalog.model import Puzzle
from gpulab.judge.report import CaseResult, Report
from gpulab.views import band, cases, code, evidence, faults, solved_page, stars
from gpulab.views.band import Band
from gpulab.views.fit import ALWAYS, EXPLAINS, SIZES, STRETCH, Part, fit, space
from gpulab.views.look import DARK, Look
from gpulab.views.page import WIDE, Page
from gpulab.views.rows import Row, columns, heading, indented, labelled, paragraph, row, rule, stacked, wrapped
from gpulab.views.solved import Solved

NEXT_BY_VERDICT = {
    "not written": "Which thread should write them?",
    "unsupported": "Write this line another way: it is no fault of yours.",
    "environment": "Check again; if it stays, ./lab env makes the environment of a clone anew.",
}


@dataclass(frozen=True)
class Shown:
    """A report and all that is known around it."""

    report: Report
    puzzle: Puzzle | None = None
    solved: Solved | None = None
    gpu: bool = False
    """Whether this machine has a GPU."""
    watching: bool = False
    """Whether a save runs the check, so that the page may say so."""
    saved: str = ""
    """When the file was last saved, as text."""
    case: int | None = None
    """The case under the cursor."""
    older: tuple[str, str] = ("", "")
    """(word, sentence) in place of the verdict, where the report is not of the file as it is now."""


def render(report: Report, *, width: int = 80, ascii: bool = False, look: Look = DARK, puzzle: Puzzle | None = None,
           solved: Solved | None = None, gpu: bool = False) -> RenderableType:
    """The result for a terminal or a pipe of `width` columns."""
    from dataclasses import replace

    look = replace(look, ascii=ascii or look.ascii)
    return page(Shown(report, puzzle, solved, gpu), width, None, look).renderable()


def page(shown: Shown, width: int, height: int | None, look: Look) -> Page:
    """The result in `width` columns, and in `height` rows where there is a screen to fill."""
    top = band.of_older(shown.report, shown.older, width, look) if shown.older[0] else \
        band.of_report(shown.report, width, look, shown.puzzle)
    if shown.report.passed:
        result = solved_page.page(shown, top, width, height, look)
    elif width >= WIDE:
        result = _wide(shown, top, width, height, look)
    else:
        result = _narrow(shown, top, width, height, look)
    return result.finished(look)


def _narrow(shown: Shown, top: Band, width: int, height: int | None, look: Look) -> Page:
    report = shown.report
    foot = _next_and_save(shown, width, look)
    found = cases.of_report(report)
    parts = [Part(top.rest), space(), *evidence.narrow(report, width, look), STRETCH]
    parts += case_parts(shown, found, width, look)
    if report.verdict not in band.HELD_BACK:
        shown_stars = stars.of_report(report, shown.puzzle, gpu=shown.gpu)
        parts += [Part([rule(width, look)], EXPLAINS), Part([stars.line(shown_stars, width, look)])]
    body_height = None if height is None else height - len(top.rows) - len(foot)
    return Page(fit(parts, body_height), top.rows, foot)


def case_parts(shown: Shown, found: list[CaseResult], width: int, look: Look) -> list[Part]:
    """Sizes and marks. Several rows of sizes are the first to go, the marks stay; all sound is no row where room is
    short. The case under the cursor is told below them."""
    if not found:
        return []
    report, beside = shown.report, cases.on_gpu(shown.report)
    parts = [Part([heading(cases.title(report), width, look)])]
    sound = all(cases.sound(case) == cases.PASSED for case in found)
    for sizes, marks in cases.groups(found, width, look, findings=cases.findings(report), beside=beside,
                                     chosen=shown.case):
        keep = shown.case is not None or len(sizes) <= 1
        parts += [Part(sizes, ALWAYS if keep else SIZES), Part(marks, short=[marks[0], *marks[2:]] if sound else None)]
    if shown.case is not None and shown.case < len(found):
        parts.append(Part(cases.detail(found, beside, shown.case, width, look)))
    return parts


def _next_and_save(shown: Shown, width: int, look: Look) -> list[Row]:
    """What to do, and that a save is enough where that fits into the same row."""
    words, save = next_words(shown), " Then save: the check runs."
    saves = shown.watching and shown.report.verdict not in band.HELD_BACK
    fits = saves and len(words) + len(save) < width - 9
    return next_rows(words + save if fits else words, width, look)


def next_words(shown: Shown) -> str:
    """What to do, never how; and that a save is enough."""
    diagnosis = shown.report.diagnosis
    words = (diagnosis.next if diagnosis else "") or NEXT_BY_VERDICT.get(shown.report.verdict, "")
    return words or "Change the file and check again."


def next_rows(words: str | Row, width: int, look: Look, *, more: str = "") -> list[Row]:
    """`Next  ...`: the last thing above the keys."""
    lines = wrapped(words, width - 9, look)
    if more:
        lines += wrapped(more, width - 9, look, style=look.muted)
    return labelled(row(("Next", look.accent + look.bold)), lines, 8)


def left_width(shown: Shown, width: int) -> int:
    """Columns of the source: as its longest line asks, 47 to 59 of 120, more on wider screens."""
    lines = shown.report.source.splitlines()
    needed = [len(line) + code.GUTTER for line in lines]
    for mark in faults.marks(shown.report, DARK):
        if 1 <= mark.line <= len(lines):
            text = lines[mark.line - 1]
            needed.append(code.GUTTER + len(text) - len(text.lstrip()) + len(f"▲ {mark.who} {mark.what}"))
    return max(47, min(max(59, width // 2 - 1), max(needed, default=0) + 1))


def _wide(shown: Shown, top: Band, width: int, height: int | None, look: Look) -> Page:
    left = left_width(shown, width)
    right = width - left - 1
    rest = top.rest
    body_height = None if height is None else height - len(top.rows) - len(rest)
    below_left, below_right = _cases_and_stars(shown, left, right, look, body_height)
    below = max(len(below_left), len(below_right))
    above = None if body_height is None else max(1, body_height - below)
    above_right = fit(evidence.wide(shown.report, right, look), above)
    room = max(len(above_right), 24) if above is None else above
    above_left = source_pane(shown, left, room if below_left else room + below, look)
    start = max(len(above_right), len(above_left) if below_left else 0, above or 0)
    left_rows = stacked(above_left, below_left, start if below_left else 0)
    body = columns(left_rows, stacked(above_right, below_right, start), left, width, look, body_height or 0)
    return Page([*rest, *body], top.rows)


def source_pane(shown: Shown, width: int, height: int, look: Look) -> list[Row]:
    """The learner's file under its name; where it is long, the part around what is said of it."""
    name = shown.report.file.rsplit("/", 1)[-1]
    title = f"{name}, saved {shown.saved}" if shown.saved else name
    marks = faults.marks(shown.report, look)
    return [heading(title, width, look), *code.listing(shown.report.source, marks, width, look, height - 1)]


def _cases_and_stars(shown: Shown, left: int, right: int, look: Look,
                     height: int | None) -> tuple[list[Row], list[Row]]:
    """The lower half of a wide result: the cases at the left, stars and Next at the right."""
    report = shown.report
    found, beside = cases.of_report(report), cases.on_gpu(report)
    most = None if height is None else max(6, height // 3)
    left_parts = [Part([heading(cases.title(report), left, look)]), space(),
                  Part(cases.rows(found, left, look, words=False, beside=beside, chosen=shown.case)), space(),
                  *([Part(cases.detail(found, beside, shown.case, left, look))]
                    if shown.case is not None and shown.case < len(found) else []),
                  Part(_summary(report, left, look), EXPLAINS)]
    saves = shown.watching and report.verdict not in band.HELD_BACK
    more = "Save, and the check runs by itself." if saves else ""
    right_parts = [Part([heading("Stars", right, look)]), space(),
                   Part(stars.rows(stars.of_report(report, shown.puzzle, gpu=shown.gpu), look)), space(),
                   Part([rule(right, look)], EXPLAINS),
                   Part(next_rows(next_words(shown), right, look, more=more)), space()]
    return fit(left_parts, most) if found else [], fit(right_parts, most)


def _summary(report: Report, width: int, look: Look) -> list[Row]:
    """What the marks add up to, and how to see the same numbers again."""
    found = cases.of_report(report)
    words = cases.summary(found)
    if cases.numbers_words(found) == cases.BY_LUCK:
        words = ("The numbers were right in every case, by luck of order: "
                 "the simulator ran one order, a GPU may run the other.")
    rows = paragraph(words, width, look) if words else []
    seed = row(("Again with the same numbers: ", look.muted), (f"--seed {report.seed}", look.bright))
    return [*rows, *indented([seed])]
