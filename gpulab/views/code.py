"""Source with line numbers, and who did what on which line."""

from __future__ import annotations

import io
import keyword
import tokenize
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from rich.style import Style
from rich.text import Text

from gpulab.views.look import Look
from gpulab.views.rows import Row, padded, row

GUTTER = 6
"""Cells before the code: line number, a rule, and one blank."""


@dataclass(frozen=True)
class Mark:
    """What is said of one line: `who` stands out, `what` follows."""

    line: int
    who: str
    what: str
    hue: Style
    brief: tuple[str, str] | None = None
    """(who, what) in fewer words, for a line that leaves less room at its right."""
    briefest: tuple[str, str] | None = None


def highlighted(source: str, look: Look) -> list[Row]:
    """Each line of `source`; keywords and comments muted, nothing else coloured."""
    lines = [Text(line.expandtabs(4), look.text, no_wrap=True, end="") for line in source.splitlines()]
    originals = source.splitlines()
    for kind, start, end in _muted_spans(source):
        if kind == start[0] and start[0] == end[0]:
            prefix = originals[start[0] - 1]
            shift = len(prefix[: start[1]].expandtabs(4)) - start[1]
            lines[start[0] - 1].stylize(look.muted, start[1] + shift, end[1] + shift)
    return lines


def _muted_spans(source: str) -> list[tuple[int, tuple[int, int], tuple[int, int]]]:
    """(line, start, end) of keywords and comments, as far as the source can be read."""
    spans = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.COMMENT or (token.type == tokenize.NAME and keyword.iskeyword(token.string)):
                spans.append((token.start[0], token.start, token.end))
    except (tokenize.TokenError, SyntaxError):
        pass  # an unfinished file: what came before is highlighted
    return spans


def numbered(number: int, code: Row, width: int, look: Look, hue: Style | None = None, pointer: str = "") -> Row:
    """One source line behind its gutter; with a hue it is a chosen one."""
    bold = look.bold
    digits = row((f"{number:>3}", (hue + bold) if hue is not None else look.muted))
    bar = row((" │ ", hue if hue is not None else look.faint))
    room = max(1, width - GUTTER)
    text = code.copy()
    if text.cell_len > room:
        text.truncate(room, overflow="ellipsis")
    if hue is not None:
        text.stylize(look.bright)
    if pointer:
        digits = row((pointer, look.accent), (f"{number:>2}" if number < 100 else f"{number}", hue or look.accent))
    return row(digits, bar, text)


def excerpt(source: str, marks: Sequence[Mark], width: int, look: Look, *, most: int = 8, around: int = 1,
            gaps: bool = True) -> list[Row]:
    """The lines that matter, with what is said of them at the right, or below where there is no room."""
    code = highlighted(source, look)
    wanted = lines_to_show([mark.line for mark in marks], len(code), most, around)
    by_line, columns = _beside(code, marks, width)
    rows: list[Row] = []
    for place, number in enumerate(wanted):
        if gaps and place and number != wanted[place - 1] + 1:
            rows.append(row(("    ┊", look.faint)))
        rows.extend(_marked(number, code[number - 1], by_line.get(number, []), columns.get(number), width, look))
    return rows


def listing(source: str, marks: Sequence[Mark], width: int, look: Look, height: int | None = None) -> list[Row]:
    """The whole source, or as much around the marked lines as `height` holds; notes stand under their line."""
    code = highlighted(source, look)
    by_line = _grouped(marks)
    first, last = _window(len(code), by_line, height)
    rows: list[Row] = []
    for number in range(first, last + 1):
        rows.extend(_marked(number, code[number - 1], by_line.get(number, []), None, width, look))
    return rows if height is None else rows[:height]


def lines_to_show(marked: Iterable[int], total: int, most: int, around: int = 1) -> list[int]:
    """Line numbers of an excerpt: all between the marked ones where they are near, else some around each."""
    lines = sorted({line for line in marked if 1 <= line <= total})
    if not lines:
        return []
    first, last = max(1, lines[0] - around), min(total, lines[-1])
    if last - first + 1 <= most:
        return list(range(first, last + 1))
    for reach in range(around, -1, -1):
        shown = sorted({near for line in lines for near in range(max(1, line - reach), line + 1)})
        if len(shown) <= most:
            return shown
    return lines[:most]


def _with(mark: Mark, words: tuple[str, str] | None) -> Mark:
    return replace(mark, who=words[0], what=words[1]) if words is not None else mark


def _grouped(marks: Sequence[Mark]) -> dict[int, list[Mark]]:
    by_line: dict[int, list[Mark]] = {}
    for mark in marks:
        by_line.setdefault(mark.line, []).append(mark)
    return by_line


def _beside(code: Sequence[Row], marks: Sequence[Mark], width: int) -> tuple[dict[int, list[Mark]], dict[int, int]]:
    """The marks by line, and the column where each begins at the right of its line: all in one column if they fit,
    in fewer words if need be, else each after its own line; no columns if one would not fit even so."""
    ends = {mark.line: GUTTER + code[mark.line - 1].cell_len + 2 for mark in marks if 1 <= mark.line <= len(code)}
    shortened = [_with(mark, mark.brief) for mark in marks]
    shortest = [_with(mark, mark.briefest or mark.brief) for mark in marks]
    if len(ends) == len(marks):
        aligned = dict.fromkeys(ends, max(ends.values(), default=0))
        for wording, columns in ((marks, aligned), (shortened, aligned), (shortened, ends), (shortest, aligned)):
            if all(columns[mark.line] + len(f"◀ {mark.who} {mark.what}".strip()) < width for mark in wording):
                return _grouped(wording), columns
    return _grouped(marks), {}


def _marked(number: int, code: Row, marks: Sequence[Mark], column: int | None, width: int, look: Look) -> list[Row]:
    """A line and its notes: beside it from `column`, or below it."""
    if not marks:
        return [numbered(number, code, width, look)]
    hue = marks[0].hue
    line = numbered(number, code, width, look, hue)
    if column is not None:
        line = row(padded(line, column), _note("◀", marks[0], look))
        return [_chosen(line, width, look)]
    indent = len(code.plain) - len(code.plain.lstrip())
    notes = [_note("▲", mark, look) for mark in marks]
    leads = [max(0, min(GUTTER + indent, width - 1 - note.cell_len)) for note in notes]
    below = [padded(row(" " * lead, note), width) for lead, note in zip(leads, notes, strict=True)]
    return [_chosen(line, width, look), *below]


def _note(glyph: str, mark: Mark, look: Look) -> Row:
    pieces = row((f"{glyph} ", mark.hue))
    if mark.who:
        pieces.append(mark.who, mark.hue + look.bold)
    if mark.what:
        pieces.append(f" {mark.what}" if mark.who else mark.what, mark.hue)
    return pieces


def _chosen(line: Row, width: int, look: Look) -> Row:
    """The row on the surface of a chosen one."""
    filled = padded(line, width)
    return row(filled, style=look.chosen)


def _window(total: int, by_line: dict[int, list[Mark]], height: int | None) -> tuple[int, int]:
    """First and last line of a listing that keeps every marked line in view."""
    notes = sum(len(marks) for marks in by_line.values())
    if height is None or total + notes <= height:
        return 1, total
    room = max(1, height - notes)
    marked = [line for line in by_line if 1 <= line <= total]
    if not marked:
        return 1, min(total, room)
    middle = (min(marked) + max(marked)) // 2
    first = max(1, min(middle - room // 2, total - room + 1))
    first = min(first, min(marked))
    return first, min(total, first + room - 1)
