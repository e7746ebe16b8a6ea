"""How a wrong element came about: the store, the operands it read, and who wrote each of them."""

from __future__ import annotations

from collections.abc import Sequence

from gpulab.trace.values import Operand, Write
from gpulab.views import figures
from gpulab.views.code import Mark
from gpulab.views.look import Look
from gpulab.views.naming import write_dims
from gpulab.views.rows import Row, paragraph, row

MOST_OPERANDS = 6
LABEL = 10


def sentence(write: Write) -> str:
    """`out[64] was written by thread 0 of block 1, on line 17, from:`."""
    who = figures.thread(write.thread, write.block, write_dims(write))
    tail = ", from:" if write.operands else "."
    return f"{figures.element(write.array, write.index)} was written by {who} on line {write.line}{tail}"


def marks(write: Write, look: Look) -> list[Mark]:
    """The store's line, and the lines that wrote what it read."""
    wrote = f"wrote {figures.element(write.array, write.index)}"
    who = figures.thread(write.thread, write.block, write_dims(write))
    said = [Mark(write.line, who, wrote, look.fault, ("", wrote))]
    for line, cells in _writers(write).items():
        if line != write.line:
            said.append(Mark(line, "", f"wrote {figures.listed(cells)}", look.accent))
    return said


def _writers(write: Write) -> dict[int, list[str]]:
    """Line -> the operands' cells it wrote."""
    by_line: dict[int, list[str]] = {}
    for operand in write.operands:
        if operand.written_by is not None:
            cells = by_line.setdefault(operand.written_by.line, [])
            name = figures.element(operand.array, operand.index)
            if name not in cells:
                cells.append(name)
    return by_line


def operands(write: Write, width: int, look: Look) -> list[Row]:
    """Three rows: what was read, what it held, and where that came from."""
    shown = list(write.operands[:MOST_OPERANDS])
    if not shown:
        return []
    texts = figures.values([operand.value for operand in shown])
    while shown:
        column = _columns(shown, texts)
        if LABEL + 2 + sum(column) < width:
            break
        shown, texts = shown[:-1], texts[:-1]
    column = _columns(shown, texts)
    more = len(write.operands) - len(shown)
    if len(write.operands) == 1:
        only = write.operands[0]
        return [row("  ", (f"{'read':<{LABEL}}", look.muted), f"{figures.element(only.array, only.index)} = ",
                    (texts[0], look.strong), (f", {origin(only)}", look.muted))]
    names = _table_row("read", [figures.element(one.array, one.index) for one in shown], column, look, value=False)
    values = _table_row("value", texts, column, look, value=True)
    origins = _table_row("from", [origin(one) for one in shown], column, look, value=False)
    rows = [names, values, origins]
    if more > 0:
        rows += paragraph(f"and {more} more", width, look, style=look.muted, indent=2 + LABEL)
    return rows


def origin(operand: Operand) -> str:
    """`line 14`, `a[64], line 12`, or `an input`."""
    writer = operand.written_by
    if writer is None:
        return "an input" if operand.space == "global" else "never written"
    sources = [figures.element(one.array, one.index) for one in writer.operands[:1]]
    return ", ".join([*sources, f"line {writer.line}"])


def _columns(shown: Sequence[Operand], texts: Sequence[str]) -> list[int]:
    return [
        max(len(figures.element(one.array, one.index)), len(text), len(origin(one))) + 3
        for one, text in zip(shown, texts, strict=True)
    ]


def _table_row(label: str, texts: Sequence[str], column: Sequence[int], look: Look, *, value: bool) -> Row:
    line = row("  ", (f"{label:<{LABEL}}", look.muted))
    for text, wide in zip(texts, column, strict=True):
        line.append(text.ljust(wide), look.strong if value else look.text)
    return line
