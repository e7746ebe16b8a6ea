"""The diagnosis: the two rows that are read first, always a full sentence."""

from __future__ import annotations

from dataclasses import dataclass, field

from rich.style import Style

from gpulab.catalog.model import Puzzle
from gpulab.judge.report import Report, limit_to_tell
from gpulab.views import figures, stars
from gpulab.views.look import Look
from gpulab.views.rows import Row, blank, padded, row, wrapped

HEIGHT = 2
HELD_BACK = ("unsupported", "environment")
"""Verdicts that are not the learner's fault: no red."""


@dataclass(frozen=True)
class Band:
    """Two rows, and what of the diagnosis did not fit into them."""

    rows: list[Row]
    rest: list[Row] = field(default_factory=list)


def of_report(report: Report, width: int, look: Look, puzzle: Puzzle | None = None) -> Band:
    """The band of a report: red for a fault, green when solved, plain where it is not the learner's fault."""
    if report.passed:
        return _solved(report, width, look, puzzle)
    diagnosis = report.diagnosis
    message = diagnosis.message if diagnosis else f"The check ended with: {report.verdict}."
    detail = diagnosis.detail if diagnosis else ""
    held_back = report.verdict in HELD_BACK or not report.begun
    word = report.verdict.upper() if report.begun else "NOT BEGUN"
    return _two_rows(word, message, detail, look.accent if held_back else look.fault,
                     look.accent_band if held_back else look.fault_band, width, look)


def of_words(word: str, message: str, width: int, look: Look, detail: str = "", *, good: bool = False) -> list[Row]:
    """The band where there is no verdict of the file as it is; in the colour of what passed where it is `good`."""
    hue, behind = (look.good, look.good_band) if good else (look.accent, look.accent_band)
    return _two_rows(word, message, detail, hue, behind, width, look).rows


def of_older(report: Report, older: tuple[str, str], width: int, look: Look) -> Band:
    """In place of a verdict that is not of the file as it is: (word, sentence), and what the rest of the page is."""
    verdict = "solved" if report.passed else report.verdict
    line = report.diagnosis.line if report.diagnosis else None
    where = f" on line {line}" if line is not None and not report.passed else ""
    return Band(of_words(older[0], older[1], width, look, f"Below is the check before it: {verdict}{where}."))


def _two_rows(word: str, message: str, detail: str, hue: Style, behind: Style, width: int, look: Look) -> Band:
    """The word and the sentence, below the word where that keeps it whole; then the detail, if a row is free for it,
    else it goes below the band."""
    lead = len(word) + 5
    for indent in (lead, 2):
        first, *rest = _hanging(message, width, lead, indent, look)
        if len(rest) < HEIGHT:
            break
    alone = wrapped(message, width - 3, look, style=look.strong)
    if rest and len(alone) == 1:  # a sentence in one piece is read faster than one that is broken
        first, rest = row(), [row("  ", alone[0])]
    details = wrapped(detail, width - 3, look) if detail else []
    if not rest and detail:
        beside = wrapped(detail, width - lead - 1, look)
        if len(beside) == 1:
            rest, details = [row(" " * lead, beside[0])], []
        elif len(details) == 1:
            rest, details = [row("  ", details[0])], []
    rows = [_behind(row(("▌ ", hue), (f"{word}   ", hue + look.bold), first), behind, width)]
    if rest:
        rows.append(_behind(_marked(rest[0], hue), behind, width))
    while len(rows) < HEIGHT:
        rows.append(_behind(row(("▌", hue)), behind, width))
    overflow = [row("  ", line) for line in [*_plain(rest[1:]), *details]]
    return Band(rows, overflow)


def _plain(rows: list[Row]) -> list[Row]:
    return [row(line.plain.strip()) for line in rows]


def _hanging(message: str, width: int, lead: int, indent: int, look: Look) -> list[Row]:
    """The sentence: its first row after the word, the others at `indent`."""
    first = wrapped(message, width - lead - 1, look, style=look.strong)[0]
    left = message[len(first.plain):].strip()
    others = wrapped(left, width - indent - 1, look, style=look.strong) if left else []
    return [first, *(row(" " * indent, line) for line in others)]


def _marked(line: Row, hue: Style) -> Row:
    """The row with the mark of the band in column 0."""
    return row(("▌", hue), line[1:]) if len(line.plain) else row(("▌", hue))


def _behind(line: Row, behind: Style, width: int) -> Row:
    return row(padded(line, width), style=behind)


def _solved(report: Report, width: int, look: Look, puzzle: Puzzle | None) -> Band:
    sentence = solved_sentence(report)
    earned = stars.three(report.stars, look, puzzle)
    earned.rstrip()
    lead = row(("▌ ", look.good), ("SOLVED   ", look.good + look.bold), earned, "  ")
    first, *rest = wrapped(sentence, width - lead.cell_len - 1, look, style=look.strong)
    rows = [_behind(row(lead, first), look.good_band, width)]
    if rest:
        rows.append(_behind(_marked(row("  ", rest[0]), look.good), look.good_band, width))
    else:
        rows.append(blank())
    return Band(rows, [row("  ", line) for line in rest[1:]])


def solved_sentence(report: Report) -> str:
    """`All eight cases right and sound.`, and the next star where one is open."""
    counted = sum(len(result.cases) for result in list(report.engines.values())[:1])
    sentence = f"All {figures.in_words(counted)} cases right and sound." if counted > 1 else "Right and sound."
    line = limit_to_tell(stars.budget(report))
    if line is not None and report.stars.efficient is False:
        name = figures.counted(line.limit, line.name).split(" ", 1)[1]
        bound = "least" if line.at_least else "most"
        sentence += f" The second star asks for at {bound} {figures.limit(line.limit)} {name}."
    return sentence
