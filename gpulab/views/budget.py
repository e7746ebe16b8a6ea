"""The second star: what was counted, what was asked, and the line that costs most."""

from __future__ import annotations

from collections.abc import Sequence

from gpulab.judge.report import BudgetLine
from gpulab.views import figures
from gpulab.views.code import Mark
from gpulab.views.look import Look
from gpulab.views.rows import Row, row

BAR, LEAST_BAR = 24, 6


def marks(lines: Sequence[BudgetLine], look: Look) -> list[Mark]:
    """The line that costs most of each broken limit."""
    return [
        Mark(line.line, _share(line), name(line), look.accent)
        for line in lines
        if not line.kept and line.line is not None
    ]


def _share(line: BudgetLine) -> str:
    if line.line_share is None:
        return "most of the"
    return "all of the" if line.line_share > 0.995 else f"{line.line_share:.0%} of the"


def name(line: BudgetLine) -> str:
    """A counter's name in words."""
    return line.name.replace("_", " ")


def table(lines: Sequence[BudgetLine], width: int, look: Look) -> list[Row]:
    """A row per limit: name, bar, figure and the most that is asked."""
    wide = max((len(name(line)) for line in lines), default=0)
    room = min(BAR, width - wide - 42)
    bar = room if room >= LEAST_BAR else 0
    rows = [_row(line, wide, bar, look) for line in lines]
    said = [row(each, (_over(line), look.accent)) for each, line in zip(rows, lines, strict=True)]
    return said if all(each.cell_len < width for each in said) else rows


def _over(line: BudgetLine) -> str:
    """What the mark before the figure means."""
    return "" if line.kept else ", too few" if line.at_least else ", too many"


def _row(line: BudgetLine, wide: int, bar: int, look: Look) -> Row:
    """The limit is where the bar's dots end, or, past it, where the figure's colour begins."""
    whole = max(line.figure, line.limit) or 1
    used, allowed = round(bar * line.figure / whole), round(bar * line.limit / whole)
    pieces = row("  ", (name(line).ljust(wide), look.text), "  ")
    pieces.append("━" * min(used, allowed), look.good if line.kept else look.text)
    if used > allowed:
        pieces.append("━" * (used - allowed), look.accent)
    pieces.append("·" * max(0, bar - used), look.faint)
    mark = row(("● ", look.good)) if line.kept else row(("▲ ", look.accent))
    figure = (f"{figures.ratio(line.figure):>8}", look.text if line.kept else look.accent + look.bold)
    return row(pieces, "  " if bar else "", mark, figure, (f"   {asked(line)}", look.muted))


def asked(line: BudgetLine) -> str:
    """`at most 1.04`, `at least 1`."""
    return f"at {'least' if line.at_least else 'most'} {figures.limit(line.limit)}"
