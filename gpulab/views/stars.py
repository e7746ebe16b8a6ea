"""Three stars, kept apart: earned, not earned, not measured, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich.text import Text

from gpulab.catalog.model import Puzzle
from gpulab.views import figures
from gpulab.views.look import Look
from gpulab.views.rows import Row, padded, row

if TYPE_CHECKING:  # Home draws stars and opens no report
    from gpulab.judge.report import BudgetLine, EngineResult, Report
    from gpulab.judge.stars import Stars

ALL = ("correct", "efficient", "fast")
"""What a puzzle that is not known is taken to have."""
NO_GPU = "not measured: no GPU on this machine"
LATER = "timed on the GPU once it is correct"
NOT_TIMED = "not timed: this check ran in the simulator"
NO_STAR = "no time to go by: see the notes"


@dataclass(frozen=True)
class Star:
    """One star as shown: its name, whether it is earned, a mark and a few words."""

    name: str
    earned: bool
    mark: str
    words: str
    short: str


def three(stars: Stars | None, look: Look, puzzle: Puzzle | None = None) -> Row:
    """`★★☆`, earned ones in the accent; fewer than three where the puzzle has fewer, in three cells all the same."""
    names = ALL if puzzle is None else puzzle.stars.names
    count = sum(getattr(stars, name) is True for name in names) if stars is not None else 0
    return row(("★" * count, look.accent), ("☆" * (len(names) - count), look.muted), " " * (len(ALL) - len(names)))


def of_report(report: Report, puzzle: Puzzle | None = None, *, gpu: bool = False) -> list[Star]:
    """The stars this puzzle has, as the report leaves them."""
    shown = [_correct(report)]
    names = ALL if puzzle is None else puzzle.stars.names
    if "efficient" in names:
        shown.append(_efficient(report))
    if "fast" in names:
        shown.append(_fast(report, gpu))
    return shown


def budget(report: Report) -> list[BudgetLine]:
    """What was counted against a limit, on the engine that counts."""
    result = _counted(report)
    return result.budget if result else []


def _counted(report: Report) -> EngineResult | None:
    return report.engines.get("sim") or next(iter(report.engines.values()), None)


def _correct(report: Report) -> Star:
    if report.stars.correct:
        return Star("correct", True, "●", "right and sound in every case", "right and sound")
    if report.hunt is not None and report.hunt.code_passes is not None and not report.hunt.found:
        words = "the code passes, " if report.hunt.code_passes else "the code does not pass yet, "
        return Star("correct", False, "×", f"{words}and ANSWER is not right", "ANSWER is not right")
    wrong, cases = _failed_cases(report)
    if report.verdict == "wrong answer" and cases:
        words = f"{wrong} of {figures.plural(cases, 'case')} wrong"
        return Star("correct", False, "×", words, f"{wrong} of {cases} wrong")
    if report.verdict in ("unsupported", "environment"):
        return Star("correct", False, "○", "not judged", "not judged")
    article = "" if report.verdict in _STATES else "the "
    cure = _STATES.get(report.verdict, f"fix {article}{report.verdict} first")
    return Star("correct", False, "×", cure, report.verdict)


_STATES = {
    "does not compile": "it does not compile yet",
    "raised": "it raises an exception",
    "crashed": "the process died",
    "timed out": "it does not end",
    "deadlock": "it waits for ever",
    "not written": "some outputs were never written",
    "not allowed": "not this way",
    "input modified": "an input was changed",
    "over budget": "right, but not as cheap as asked",
}


def _failed_cases(report: Report) -> tuple[int, int]:
    result = _counted(report)
    cases = result.cases if result else []
    return sum(case.verdict != "passed" for case in cases), len(cases)


def _efficient(report: Report) -> Star:
    from gpulab.judge.report import limit_to_tell

    lines = budget(report)
    earned = report.stars.efficient is True
    if not lines:
        if earned:
            return Star("efficient", True, "●", "within its budget", "within budget")
        return Star("efficient", False, "○", "counted when the answer is right", "not counted")
    broken = limit_to_tell(lines)
    line = broken or lines[0]
    counted, limit = figures.counted(line.figure, line.name), figures.limit(line.limit)
    bound = "least" if line.at_least else "most"
    words = f"{counted}, at {bound} {limit} asked" if broken else f"{counted}, of {limit}"
    short = figures.counted(line.figure, brief_name(line.name))
    return Star("efficient", earned, "×" if broken else "●", words, short)


def brief_name(name: str) -> str:
    """`global loads per output` is `loads per output` where room is short."""
    return name.replace("_", " ").removeprefix("global ")


def _fast(report: Report, gpu: bool) -> Star:
    reached = _reached(report.timing)
    if report.stars.fast:
        return Star("fast", True, "●", f"as fast as asked{reached}", "fast enough")
    if report.stars.fast is False:
        return Star("fast", False, "×", f"slower than asked{reached}", "too slow")
    ran = "gpu" in report.engines
    words = NO_GPU if not (gpu or ran) else LATER if not report.passed else NO_STAR if ran else NOT_TIMED
    return Star("fast", False, "○", words, "not timed")


def _reached(timing: Mapping[str, Any] | None) -> str:
    """`: 12 % of the limit, 15 % asked`."""
    if not timing or timing.get("percent_of_limit") is None or not timing.get("fast_asked"):
        return ""
    return f": {int(timing['percent_of_limit'])} % of the limit, {100 * timing['fast_asked']:.0f} % asked"


def line(shown: list[Star], width: int, look: Look) -> Row:
    """All stars in one row, for 80 columns; spread over it."""
    cells = [_short(star, look) for star in shown]
    if sum(cell.cell_len + 2 for cell in cells) > width - 3:
        cells = [_short(star, look, words=star.mark == "×") for star in shown]
    free = width - 4 - sum(cell.cell_len for cell in cells)
    gap = max(2, min(8, free // max(1, len(cells) - 1))) if len(cells) > 1 else 0
    return padded(row("  ", Text(" " * gap).join(cells)), width)


def _short(star: Star, look: Look, *, words: bool = True) -> Row:
    return row(_glyph(star, look), " ", (star.name, look.bright if star.mark != "○" else look.muted),
               " ", _mark(star, look), (f" {star.short}" if words else "", look.muted))


def rows(shown: list[Star], look: Look) -> list[Row]:
    """A star a row, for 120 columns."""
    return [
        row("  ", _glyph(star, look), " ", (f"{star.name:<11}", look.bright if star.mark != "○" else look.muted),
            _mark(star, look), " ", (star.words, look.text if star.mark != "○" else look.muted))
        for star in shown
    ]


def _glyph(star: Star, look: Look) -> Row:
    return row(("★", look.accent) if star.earned else ("☆", look.muted))


def _mark(star: Star, look: Look) -> Row:
    hue = {"●": look.good, "×": look.fault, "○": look.muted}[star.mark]
    return row((star.mark, hue))
