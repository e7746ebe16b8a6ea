"""After solving: yours beside the reference and what was asked, why it works, and where the two differ."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gpulab.catalog.model import Puzzle
from gpulab.judge.report import Report
from gpulab.views import budget, figures, stars, timing_data
from gpulab.views.code import highlighted, numbered
from gpulab.views.look import Look
from gpulab.views.prose import prose
from gpulab.views.rows import Row, indented, padded, row
from gpulab.views.timing import milliseconds

VALUE = 14
"""Cells for each of the three figures."""


@dataclass(frozen=True)
class Solved:
    """What a solved puzzle shows beside its report."""

    after: str
    """Why it works, Markdown."""
    reference: str
    """Source of the reference solution."""
    next: Puzzle | None = None
    """The puzzle that `n` opens."""
    next_place: str = ""
    """`5 of 12`."""
    of_reference: Report | None = None
    """The reference's own report, where it has been checked here."""
    counting: bool = False
    """Whether that is being done: its column is there already."""


def table(report: Report, solved: Solved | None, width: int, look: Look) -> list[Row]:
    """A star and a name per row, then yours, the reference's, and what was asked."""
    value = VALUE if width >= 76 else 10
    head = row(" " * max(20, width - 3 * value - 2), *((f"{name:>{value}}", look.muted) for name in _heads(solved)))
    lines = [head, _line(report.stars.correct, "correct", *_cases(report, solved), width, value, look)]
    theirs = {line.name: line for line in stars.budget(solved.of_reference)} if solved and solved.of_reference else {}
    for place, mine in enumerate(sorted(stars.budget(report), key=lambda line: line.kept)):
        other = theirs.get(mine.name)
        lines.append(_line(report.stars.efficient if not place else None, budget.name(mine),
                           figures.ratio(mine.figure), figures.ratio(other.figure) if other else _waiting(solved),
                           figures.limit(mine.limit), width, value, look))
    return [*lines, *_on_the_gpu(report, width, value, look), *_times(report, solved, width, value, look)]


def _on_the_gpu(report: Report, width: int, value: int, look: Look) -> list[Row]:
    """The same cases, and a larger one, on the GPU."""
    if not {"sim", "gpu"} <= report.engines.keys():
        return []
    cases = report.engines["gpu"].cases
    mine = f"{sum(case.verdict == 'passed' for case in cases)} of {len(cases)}"
    return [_line(None, "on the GPU too", mine, "", f"{len(cases)} of {len(cases)}", width, value, look)]


def _times(report: Report, solved: Solved | None, width: int, value: int, look: Look) -> list[Row]:
    """The time, and what part of the card's limit it is, where the file was timed."""
    timing: Mapping[str, Any] | None = report.timing
    if not timing or "yours_ms" not in timing:
        return []
    theirs = timing.get("reference") or {}
    lines = [_line(None, f"time, {timing_data.sizes(timing)}", milliseconds(timing["yours_ms"]),
                   milliseconds(theirs["yours_ms"]) if theirs else "", "", width, value, look)]
    if timing["percent_of_limit"] is not None:
        asked = f"{100 * timing['fast_asked']:.0f} %" if timing["fast_asked"] else ""
        other = theirs.get("percent_of_limit")
        limit = timing_data.LIMITS.get(timing["limit"], timing["limit"])
        lines.append(_line(report.stars.fast, f"of the {limit}", f"{int(timing['percent_of_limit'])} %",
                           f"{int(other)} %" if other is not None else "", asked, width, value, look))
    return lines


def _heads(solved: Solved | None) -> tuple[str, str, str]:
    return ("yours", "reference" if solved and (solved.of_reference or solved.counting) else "", "asked")


def _cases(report: Report, solved: Solved | None) -> tuple[str, str, str]:
    mine = _passed(report)
    theirs = _passed(solved.of_reference) if solved and solved.of_reference else _waiting(solved)
    asked = f"{mine.split()[-1]} of {mine.split()[-1]}" if mine else ""
    return mine, theirs, asked


def _waiting(solved: Solved | None) -> str:
    return "..." if solved and solved.counting and not solved.of_reference else ""


def _passed(report: Report) -> str:
    cases = next(iter(report.engines.values())).cases if report.engines else []
    return f"{sum(case.verdict == 'passed' for case in cases)} of {len(cases)}" if cases else ""


def _line(earned: bool | None, name: str, mine: str, theirs: str, asked: str, width: int, value: int,
          look: Look) -> Row:
    star = ("★", look.accent) if earned else ("☆", look.muted) if earned is False else (" ", look.text)
    left = padded(row("  ", star, " ", (name, look.text)), max(20, width - 3 * value - 2))
    return row(left, (f"{mine:>{value}}", look.strong), (f"{theirs:>{value}}", look.text),
               (f"{asked:>{value}}", look.muted))


def why(after: str, width: int, look: Look) -> list[Row]:
    """The explanation, within the margin."""
    return indented(prose(after, width - 3, look))


@dataclass(frozen=True)
class Difference:
    """One place where two sources differ: their lines there, numbered from 1."""

    mine: Sequence[tuple[int, str]]
    theirs: Sequence[tuple[int, str]]


def differences(mine: str, theirs: str) -> list[Difference]:
    """Where the two kernels differ; comments, docstrings and blank lines do not count."""
    ours, reference = _significant(mine), _significant(theirs)
    matcher = difflib.SequenceMatcher(a=[_squeezed(text) for _, text in ours],
                                      b=[_squeezed(text) for _, text in reference], autojunk=False)
    return [
        Difference(ours[a:b], reference[c:d])
        for tag, a, b, c, d in matcher.get_opcodes()
        if tag != "equal"
    ]


def _significant(source: str) -> list[tuple[int, str]]:
    """Lines that do something, without their comments."""
    lines = []
    fenced = False
    for number, line in enumerate(source.splitlines(), start=1):
        bare = line.split("#", 1)[0].rstrip()
        quotes = bare.count('"""')
        if not fenced and bare and not quotes:
            lines.append((number, bare))
        fenced ^= quotes % 2 == 1
    return lines


def _squeezed(line: str) -> str:
    """Spacing within a line does not count, its indentation does."""
    return line[: len(line) - len(line.lstrip())] + "".join(line.split())


def difference_title(count: int) -> str:
    """`the reference differs in one place`."""
    if not count:
        return "the reference is the same, line for line"
    return f"the reference differs in {figures.in_words(count)} {'place' if count == 1 else 'places'}"


def difference_rows(places: Sequence[Difference], width: int, look: Look, *, most: int = 2) -> list[Row]:
    """For 80 columns: the lines of the first places under each other."""
    rows: list[Row] = []
    for place in places[:most]:
        for label, lines in (("yours", place.mine), ("reference", place.theirs)):
            for order, (number, text) in enumerate(lines[:2]):
                name = label if not order else ""
                rows.append(row("  ", (f"{name:<11}", look.muted), (f"{number:>3} ", look.muted),
                                padded(row((text.strip(), look.text)), width - 18)))
    return rows


def side(source: str, changed: Sequence[int], width: int, look: Look, *, height: int) -> list[Row]:
    """For 120 columns: one of the two sources, its differing lines chosen, from the kernel on."""
    code = highlighted(source, look)
    first = _first_line(source, changed, height)
    rows = []
    for number in range(first, min(len(code), first + height - 1) + 1):
        if number in changed:
            line = numbered(number, code[number - 1], width, look, look.accent, pointer="▶")
            rows.append(row(padded(line, width), style=look.chosen))
        else:
            rows.append(numbered(number, code[number - 1], width, look))
    return rows


def _first_line(source: str, changed: Sequence[int], height: int) -> int:
    """The kernel's decorator, or what keeps the first differing line in view."""
    lines = source.splitlines()
    if len(lines) <= height:
        return 1
    start = next((n for n, line in enumerate(lines, start=1) if line.startswith("@")), 1)
    if changed and not start <= changed[0] < start + height:
        start = max(1, changed[0] - 2)
    return max(1, min(start, len(lines) - height + 1))
