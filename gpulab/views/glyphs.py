"""ASCII stand-ins. Every glyph is one cell wide, and so is what stands in for it, so that no row moves."""

from __future__ import annotations

from collections.abc import Iterable

from rich.cells import cell_len
from rich.text import Text

ASCII = {
    "●": "+", "×": "x", "○": "o",
    "★": "*", "☆": ".",
    "▌": ">", "▶": ">", "◀": "<", "▲": "^", "▼": "v",
    "█": "#", "▓": "=", "▒": "+", "░": "-", "·": ".",
    "■": "o", "□": "O",
    "▁": "1", "▂": "1", "▃": "2", "▅": "2", "▇": "3",
    "━": "=", "┃": "H", "┊": ":", "…": "~",
    "─": "-", "│": "|",
    "→": ">", "←": "<", "↑": "^", "↓": "v",
    "≤": "<", "≥": ">", "≠": "!", "²": "2", "³": "3", "µ": "u",
    "‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "\u00a0": " ",
} | dict.fromkeys("┼├┤┬┴┌┐└┘╰╯╭╮╔╗╚╝╠╣╦╩╬", "+") | {"═": "=", "║": "|", "╌": "-", "╎": ":"}
ASCII |= dict.fromkeys(map(chr, range(0x2801, 0x2900)), "*") | {"\u2800": " "}  # braille: a dot is enough of a cell
"""As the design's table has them; box corners share the plus."""

_TABLE = str.maketrans(ASCII)


def to_ascii(text: str) -> str:
    """`text` with each glyph replaced; what has no stand-in becomes `?`, once per cell."""
    plain = text.translate(_TABLE)
    if plain.isascii():
        return plain
    return "".join(char if char.isascii() else "?" * cell_len(char) for char in plain)


def ascii_rows(rows: Iterable[Text]) -> list[Text]:
    """The same rows in ASCII, styles kept."""
    return [_ascii_row(row) for row in rows]


def _ascii_row(row: Text) -> Text:
    if row.plain.isascii():
        return row
    if len(plain := to_ascii(row.plain)) == len(row.plain):
        copy = row.copy()
        copy.plain = plain
        return copy
    pieces = row.divide(range(1, len(row.plain)))
    for piece in pieces:
        piece.plain = to_ascii(piece.plain)
    return Text("", style=row.style).join(pieces)
