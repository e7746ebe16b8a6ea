"""Times as bars: yours, the reference's, a copy's and the card's limit, and where the star is."""

from __future__ import annotations

from rich.style import Style

from gpulab.views.look import Look
from gpulab.views.rows import Row, apart, row
from gpulab.views.timing import milliseconds
from gpulab.views.timing_data import Bar, Shown, Timing, bars, rate, sizes, target, unit

NAME = 11
COLUMNS = 25
"""Cells of milliseconds, rate and spread at the right."""
ABOUT = 37


def head(timing: Timing, width: int, look: Look) -> Row:
    """`n = 67108864` at the left, the names of the columns at the right."""
    what = sizes(timing)
    right = row((f"{'ms':>8}{unit(timing)[0]:>9}{'spread':>8}", look.muted))
    return apart(row("  ", (what, look.text)), right, width)


def rows(shown: Shown, timing: Timing, width: int, look: Look) -> list[Row]:
    """A row per time, the slowest first; the star's time is a dotted column through the shorter ones."""
    all_bars = bars(shown, timing)
    about = ABOUT if width >= 110 else 0
    room = width - NAME - about - COLUMNS - 5
    longest = max(bar.ms for bar in all_bars)
    star = target(timing)
    column = round(star / longest * room) if star is not None and star < longest else None
    places = 1 if longest >= 100 else 2 if longest >= 10 else 3
    lines = [_row(bar, timing, (max(1, round(bar.ms / longest * room)), room), column, about, places, look)
             for bar in all_bars]
    if star is not None:
        _say_star(lines, [round(bar.ms / longest * room) for bar in all_bars], star, column, about, room, look)
    return lines


def hue(bar: Bar, look: Look) -> Style:
    """Yours in the accent, the card's limit in the colour of what is asked for."""
    return {"yours": look.accent, "limit": look.data[0]}.get(bar.kind, look.text)


def _row(bar: Bar, timing: Timing, cells: tuple[int, int], column: int | None, about: int, places: int,
         look: Look) -> Row:
    """`cells` are the bar's and those that the longest has."""
    (length, room), yours = cells, bar.kind == "yours"
    line = row("  ", (f"{bar.name:<{NAME}}", look.strong if yours else look.text))
    if about:
        line.append(f"{bar.about[:about - 2]:<{about}}", look.muted)
    line.append("━" * length, hue(bar, look))
    line.append(" " * (room - length))
    if column is not None and column > length:
        at = line.cell_len - room + column
        line = row(line[:at], ("┊", look.accent), line[at + 1:])
    spread = f"{100 * bar.spread:.1f} %" if bar.spread is not None else ""
    ms = f"{bar.ms:.{places}f}"
    return row(line, (f"{ms:>9}", hue(bar, look) + look.bold if yours else look.text),
               (f"{_rate(bar, timing):>9}", look.muted), (f"{spread:>8}", look.muted))


def _say_star(lines: list[Row], lengths: list[int], star: float, column: int | None, about: int, room: int,
              look: Look) -> None:
    """`┊ 0.854 ms for ★` on the shortest bar's row, where there is room."""
    words = f"{milliseconds(star)} for ★"
    start = 2 + NAME + about
    place = lengths.index(min(lengths))
    if column is None:
        return
    line = lines[place]
    if column + len(words) + 3 <= room:
        at = start + column + 2
    elif column - len(words) - 2 > lengths[place]:
        at = start + column - len(words) - 1
    else:
        return
    lines[place] = row(line[:at], (words, look.muted), line[at + len(words):])


def _rate(bar: Bar, timing: Timing) -> str:
    """What the time is worth; a copy computes nothing."""
    return "" if bar.kind == "baseline" and timing["limit"] != "copy" else rate(timing, bar.ms)
