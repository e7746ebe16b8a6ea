"""The frame around every page: title, tabs and keys, one row each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.style import Style
from rich.text import Span

from gpulab.views.glyphs import ascii_rows
from gpulab.views.look import Look
from gpulab.views.rows import Row, apart, padded, row


@dataclass(frozen=True)
class KeyHint:
    """One key and what it does now."""

    key: str
    does: str


def finished(line: Row, width: int, look: Look) -> Row:
    """The row at its full width, in ASCII where asked."""
    line = padded(line, width)
    return ascii_rows([line])[0] if look.ascii else line


def title(left: Row, right: Row, width: int, look: Look) -> Row:
    """Row 1: what this is at the left, how it stands at the right."""
    return finished(_on_bar(apart(row(" ", left), right, width), look), width, look)


def tabs(names: Sequence[str], active: str, right: str, width: int, look: Look, *, hue_right: bool = False) -> Row:
    """Row 2: a rule with the tabs in it, the active one between `┤ ├`; the right says when the file was saved.

    Where all do not fit, the other tabs are their digits.
    """
    tail = row((f" {right} ", look.accent if hue_right else look.muted), ("─", look.faint)) if right else row()
    line = _named(names, active, look)
    if line.cell_len + tail.cell_len >= width:  # what is being done is worth more than the names of other tabs
        line = _named([name if name == active else name.split()[0] for name in names], active, look)
    free = width - line.cell_len - tail.cell_len
    if free < 1:
        return finished(line, width, look)
    return finished(row(line, ("─" * free, look.faint), tail), width, look)


def _named(names: Sequence[str], active: str, look: Look) -> Row:
    """The tabs, one after another."""
    line = row(("─", look.faint))
    for place, name in enumerate(names):
        if name == active:
            line.append("┤ ", look.accent)
            line.append(name, look.accent + look.bold)
            line.append(" ├", look.accent)
        else:
            line.append(" ", look.faint)
            line.append(name, look.muted)
            line.append(" ", look.faint)
        if place + 1 < len(names):
            line.append("─", look.faint)
    return line


def keys(hints: Sequence[KeyHint], width: int, look: Look) -> Row:
    """The last row: only what works now, most likely first. What does not fit before help and quit loses its words, and
    only then its place."""
    shown = list(hints)
    while _width(shown) > width and len(shown) > 2:
        last = shown.pop(-3)
        if last.does:
            shown.insert(-2, KeyHint(last.key, ""))
    line = row(" ")
    for hint in shown:
        line.append(hint.key, look.accent + look.bold)
        line.append(f" {hint.does}  " if hint.does else "  ", look.muted)
    line.rstrip()
    return finished(_on_bar(padded(line, width), look), width, look)


def _on_bar(line: Row, look: Look) -> Row:
    """The row on the bar; on a reversed one colours would turn into backgrounds, so bold has to do."""
    bar = row(line, style=look.bar)
    if look.bar.reverse:
        bar.spans = [Span(span.start, span.end, span.style.without_color) for span in bar.spans
                     if isinstance(span.style, Style)]
    return bar


def _width(hints: Sequence[KeyHint]) -> int:
    return 1 + sum(len(hint.key) + bool(hint.does) + len(hint.does) + 2 for hint in hints) - 2
