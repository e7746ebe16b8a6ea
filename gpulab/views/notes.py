"""What is legal but worth saying, and what the learner's file printed."""

from __future__ import annotations

from collections.abc import Sequence

from gpulab.trace.model import Note
from gpulab.views.look import Look
from gpulab.views.rows import Row, heading, labelled, paragraph, row, wrapped

MOST_OUTPUT = 6


def rows(notes: Sequence[Note], width: int, look: Look) -> list[Row]:
    """`line 14  0.0 is a float64 ...`, a note after another."""
    lines: list[Row] = []
    for note in notes:
        label = row((f"line {note.line}" if note.line else note.kind, look.accent))
        lines += labelled(label, wrapped(note.message, width - 13, look), 12)
    return lines


def output(text: str, width: int, look: Look, *, most: int | None = MOST_OUTPUT) -> list[Row]:
    """The last lines that the file printed, under a heading; nothing where it printed nothing."""
    lines = printable(text).rstrip().splitlines()
    if not lines:
        return []
    shown = lines if most is None else lines[-most:]
    more = len(lines) - len(shown)
    title = "printed" + (f", the last {len(shown)} of {len(lines)} lines" if more else "")
    body = []
    for line in shown:
        body += paragraph(row((line, look.text)), width, look)[:2]
    return [heading(title, width, look), *body]


def printable(text: str) -> str:
    """Without control characters, so that a learner's print cannot move the cursor."""
    spaced = text.expandtabs(4).replace("\r\n", "\n").replace("\r", "\n")
    return "".join(char if char == "\n" or char.isprintable() else "?" for char in spaced)
