"""Rows and how they are laid side by side: the few shapes that all screens are made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from gpulab.views.look import Look

Row = Text
"""One line of a page. Text begins at column 2; column 0 belongs to marks."""

Piece = str | tuple[str, Style] | Text

MARGIN = "  "
NO_BREAK = "\u00a0"
"""A blank within a piece of code, where no row may end; it is an ordinary blank once rows are folded."""


def row(*pieces: Piece, style: Style | str = "") -> Row:
    """Pieces one after another. A piece is text, (text, style) or a row."""
    return Text.assemble(*pieces, style=style, no_wrap=True, end="")


def blank() -> Row:
    """An empty row."""
    return row()


def padded(line: Row, width: int) -> Row:
    """`line` exactly `width` cells wide: filled with its own style, or cut with `…`."""
    line = line.copy()
    missing = width - line.cell_len
    if missing >= 0:
        line.pad_right(missing)
    else:
        line.truncate(width, overflow="ellipsis")
    return line


def apart(left: Row, right: Row, width: int) -> Row:
    """`left` at the left edge and `right` ending one cell before the right edge; `left` gives way."""
    room = width - 1 - right.cell_len
    line = padded(left, max(0, room - 1)) if left.cell_len > room - 1 else left.copy()
    line.pad_right(max(0, room - line.cell_len))
    line.append_text(right)
    return padded(line, width)


def rule(width: int, look: Look) -> Row:
    """A plain rule over the whole width."""
    return row(("─" * width, look.faint))


def heading(title: str | Row, width: int, look: Look, right: str | Row = "") -> Row:
    """`── title ─────`: a rule with words in it, and at the right more words."""
    words = title if isinstance(title, Text) else row((title, look.muted))
    words = padded(words, min(words.cell_len, max(0, width - 5)))
    tail = right if isinstance(right, Text) else row((right, look.muted))
    line = row(("── ", look.faint), words, " ")
    end = row(" ", tail, (" ─", look.faint)) if tail.cell_len else row()
    room = width - line.cell_len - end.cell_len
    if room < 2 and tail.cell_len:
        return heading(title, width, look)
    return row(line, ("─" * max(0, room), look.faint), end)


def wrapped(text: str | Row, width: int, look: Look, *, style: Style | None = None) -> list[Row]:
    """Words over as many rows as they need, without a margin."""
    source = text.copy() if isinstance(text, Text) else Text(text)
    if style is not None:
        source.stylize(style)
    elif not isinstance(text, Text):
        source.stylize(look.text)
    return fold(source, max(8, width))


def fold(text: Text, width: int) -> list[Row]:
    """`text` folded at spaces, or where a word is longer than a row within it."""
    rows: list[Row] = []
    for paragraph in text.split("\n", allow_blank=True):
        start = 0
        for end in _folds(paragraph.plain, width):
            rows.append(_slice(paragraph, start, end))
            start = end
            while start < len(paragraph.plain) and paragraph.plain[start] == " ":
                start += 1
    return rows


def _folds(plain: str, width: int) -> Iterable[int]:
    """Where each row ends, as offsets into `plain`."""
    start = 0
    while cell_len(plain[start:]) > width:
        fits = start
        cells = 0
        while cells + cell_len(plain[fits]) <= width:
            cells += cell_len(plain[fits])
            fits += 1
        space = plain.rfind(" ", start, fits + 1)
        slash = plain.rfind("/", start, fits) + 1
        end = space if space > start else slash if slash > start else max(fits, start + 1)
        yield end
        start = end
        while start < len(plain) and plain[start] == " ":
            start += 1
    yield len(plain)


def _slice(text: Text, start: int, end: int) -> Row:
    piece = text.divide([start, end])[1] if start else text.divide([end])[0]
    if NO_BREAK in piece.plain:
        piece.plain = piece.plain.replace(NO_BREAK, " ")
    piece.rstrip()
    piece.no_wrap, piece.end = True, ""
    return piece


def indented(rows: Iterable[Row], indent: int | str = 2) -> list[Row]:
    """The rows moved to the right."""
    lead = " " * indent if isinstance(indent, int) else indent
    return [row(lead, line) for line in rows]


def paragraph(text: str | Row, width: int, look: Look, *, style: Style | None = None, indent: int = 2) -> list[Row]:
    """Words wrapped between the margin and one cell before the right edge."""
    return indented(wrapped(text, width - indent - 1, look, style=style), indent)


def labelled(label: Row, words: list[Row], column: int) -> list[Row]:
    """`label` at the margin and `words` beside it, all beginning at `column`."""
    first = padded(row(MARGIN, label), column) if label.cell_len + 2 < column else row(MARGIN, label, " ")
    rest = [row(" " * column, line) for line in words[1:]]
    return [row(first, words[0] if words else ""), *rest]


def stacked(upper: Sequence[Row], lower: Sequence[Row], height: int) -> list[Row]:
    """`lower` below `upper`, moved down to row `height`."""
    return [*upper, *([blank()] * (height - len(upper))), *lower]


def columns(left: Sequence[Row], right: Sequence[Row], left_width: int, width: int, look: Look,
            height: int = 0) -> list[Row]:
    """Two columns with one `│` between them, at least `height` rows; rules run into it."""
    height = max(height, len(left), len(right))
    rows: list[Row] = []
    for place in range(height):
        a = left[place] if place < len(left) else blank()
        b = right[place] if place < len(right) else blank()
        border = _border(a, b, first=place == 0, last=place == height - 1)
        rows.append(row(padded(a, left_width), (border, look.faint), padded(b, width - left_width - 1)))
    return rows


def _border(left: Row, right: Row, *, first: bool, last: bool) -> str:
    """The glyph where two rows meet."""
    from_left, from_right = left.plain.endswith("─"), right.plain.startswith("─")
    if from_left and from_right:
        return "┬" if first else "┴" if last else "┼"
    if from_left:
        return "┐" if first else "┤"
    if from_right:
        return "┌" if first else "├"
    return "│"
