"""The kernel's source with what each line did: a column for each figure, marks for faults."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from gpulab.trace.model import Finding
from gpulab.views.code import GUTTER, highlighted, numbered
from gpulab.views.look import Look
from gpulab.views.rows import Row, padded, row

Counts = Mapping[str, float]

LEAST_CODE = GUTTER + 18
"""Cells that a line of code has at least, its number included."""
OVER = "▲"
"""Before a figure that could be less."""


@dataclass(frozen=True)
class Column:
    """A figure of each line. `figure` gives its text, "" for none, and whether it is more than need be."""

    title: str
    width: int
    figure: Callable[[int], tuple[str, bool]]


def table(source: str, lines: Sequence[int], columns: Sequence[Column], width: int, look: Look, *,
          chosen: int | None = None, faults: Iterable[int] = (), title: str = "line") -> list[Row]:
    """A row of titles, and a row for each of `lines`; the chosen one is marked, faulty ones too.

    Where the code would have no room, the first columns go.
    """
    columns = fitting(columns, width)
    code = highlighted(source, look)
    rows = [_titles(columns, width, look, title)]
    faulty = set(faults)
    for place, number in enumerate(lines):
        if place and number == lines[place - 1] + 2:  # a row for one line that did nothing: the line itself
            rows.append(_line(number - 1, code[number - 2], columns, width, look, False, False))
        elif place and number != lines[place - 1] + 1:
            rows.append(row(("    ┊", look.faint)))
        if number <= len(code):
            rows.append(_line(number, code[number - 1], columns, width, look, number == chosen, number in faulty))
    return rows


def fitting(columns: Sequence[Column], width: int) -> list[Column]:
    """The columns that leave the code its room: the last ones."""
    kept = list(columns)
    while len(kept) > 1 and width - 1 - sum(column.width for column in kept) < LEAST_CODE:
        kept.pop(0)
    return kept


def _titles(columns: Sequence[Column], width: int, look: Look, title: str) -> Row:
    line = row((f"  {title}", look.muted))
    figures = "".join(f"{column.title:>{column.width}}" for column in columns)
    line = padded(line, max(0, width - len(figures) - 1))
    return row(line, (figures, look.muted), " ")


def _line(number: int, code: Row, columns: Sequence[Column], width: int, look: Look, chosen: bool,
          faulty: bool) -> Row:
    figures = row()
    for column in columns:
        text, over = column.figure(number)
        hue = look.accent if over else look.bright if chosen else look.text
        mark = f"{OVER} " if over else ""
        figures.append(f"{mark + text:>{column.width}}", hue + look.bold if over and chosen else hue)
    room = max(GUTTER + 8, width - 1 - figures.cell_len)
    filled = len(figures.plain) - len(figures.plain.lstrip())
    line = numbered(number, code, min(width - 1, room + max(0, filled - 1)), look, look.accent if chosen else None,
                    pointer="▶" if chosen else "")
    if faulty:
        line = row(("×", look.fault + look.bold), line[1:])
    spare = max(0, line.cell_len - room)
    line = padded(line, max(room, line.cell_len))
    whole = row(line, figures[spare:], " ")
    return row(padded(whole, width), style=look.chosen) if chosen else padded(whole, width)


def kernel_lines(counts: Mapping[int, Counts], findings: Iterable[Finding], source: str,
                 also: Iterable[int] = ()) -> list[int]:
    """From the first line that ran to the last, the kernel's `def` and decorator before them."""
    ran = sorted({*counts, *(finding.line for finding in findings if finding.line), *also})
    if not ran:
        return []
    text = source.splitlines()
    first = ran[0]
    while first > 1 and not text[min(first, len(text)) - 1].lstrip().startswith("def "):
        first -= 1
    while first > 1 and text[first - 2].lstrip().startswith("@"):
        first -= 1
    return list(range(first if first >= 1 and ran[0] - first < 40 else ran[0], min(ran[-1], len(text)) + 1))


def ratio(counts: Counts, figure: str, of: str, least: str | None = None) -> tuple[str, bool]:
    """`4.0`, and whether it is above the least possible."""
    if not counts.get(of):
        return "", False
    over = least is not None and least in counts and counts.get(figure, 0) > counts[least]
    return f"{counts.get(figure, 0) / counts[of]:.1f}", over


def number(counts: Counts, name: str) -> str:
    """A count as it stands in a column; "" for none."""
    value = counts.get(name, 0)
    return f"{value:,.0f}" if value else ""
