"""A wrong answer: the elements around the first wrong one, and all of the output in a picture."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from gpulab.judge.report import Cell, Mismatch
from gpulab.views import figures
from gpulab.views.look import Look
from gpulab.views.rows import Row, row

LABEL = 10
"""Cells before the first column of the window."""
MOST_ROWS = 4


def window(mismatch: Mismatch, width: int, look: Look) -> list[Row]:
    """Index, expected, got and off by, a column per element; an upright line where the next block begins."""
    cells = _fitting(mismatch, width)
    if not cells:
        return []
    decimals = figures.places((cell.expected, cell.got) for cell in cells if cell.wrong)
    table = _Table(mismatch, cells, decimals, look)
    rows = [table.indices(), table.expected(), table.got()]
    if not all(isinstance(cell.got, str) for cell in cells if cell.wrong):  # "not written" is no number
        rows.append(table.off_by())
    blocks = table.blocks()
    return [*rows, blocks] if blocks is not None else rows


def _column(cells: Sequence[Cell], decimals: int, mismatch: Mismatch) -> int:
    texts = [_label(cell, mismatch) for cell in cells]
    for cell in cells:
        texts += [figures.value(number, decimals, exact=cell.wrong) for number in (cell.expected, cell.got)]
        texts.append(figures.difference(cell.got, cell.expected, decimals))
    return max(8, max(map(len, texts)) + 3)


def _fitting(mismatch: Mismatch, width: int) -> list[Cell]:
    """As many cells of the window as there is room for, the first wrong one among them."""
    cells = list(mismatch.window)
    if not cells:
        return []
    decimals = figures.places((cell.expected, cell.got) for cell in cells if cell.wrong)
    room = max(1, (width - 2 - LABEL - 3) // _column(cells, decimals, mismatch))
    first = next((place for place, cell in enumerate(cells) if cell.index == mismatch.index), 0)
    start = max(0, min(first - room // 2, len(cells) - room))
    return cells[start:start + room]


def _label(cell: Cell, mismatch: Mismatch) -> str:
    """The last index where the others are the same all along the window, else all of them."""
    lead = mismatch.index[:-1]
    if all(other.index[:-1] == lead for other in mismatch.window):
        return str(cell.index[-1]) if cell.index else ""
    return ",".join(map(str, cell.index))


class _Table:
    """The rows of the window; kept together because they share column and borders."""

    def __init__(self, mismatch: Mismatch, cells: list[Cell], decimals: int, look: Look) -> None:
        self.mismatch, self.cells, self.decimals, self.look = mismatch, cells, decimals, look
        self.column = _column(cells, decimals, mismatch)
        self.borders = {
            place for place in range(1, len(cells))
            if cells[place].block is not None and cells[place].block != cells[place - 1].block
        }

    def _row(self, label: str, pieces: Sequence[Row], *, border: bool = True) -> Row:
        line = row("  ", (f"{label:<{LABEL}}", self.look.muted if label in ("off by", self._name) else self.look.text))
        for place, piece in enumerate(pieces):
            if place in self.borders:
                line.append("  │" if border else "   ", self.look.accent)
            line.append(" " * (self.column - piece.cell_len))
            line.append_text(piece)
        return line

    @property
    def _name(self) -> str:
        lead = self.mismatch.index[:-1]
        if not lead:
            return "i"
        same = all(cell.index[:-1] == lead for cell in self.mismatch.window)
        letters = "ijk"[len(lead)] if len(lead) < 3 else "·"
        return f"[{', '.join(map(str, lead))}, {letters}]" if same else "index"

    def indices(self) -> Row:
        return self._row(self._name, [
            row((_label(cell, self.mismatch), self.look.strong if cell.wrong else self.look.muted))
            for cell in self.cells
        ])

    def expected(self) -> Row:
        return self._row("expected", [self._value(cell, "expected") for cell in self.cells])

    def got(self) -> Row:
        return self._row("got", [self._value(cell, "got") for cell in self.cells])

    def _value(self, cell: Cell, which: str) -> Row:
        number = cell.expected if which == "expected" else cell.got
        text = figures.value(number, self.decimals, exact=cell.wrong)
        if not cell.wrong:
            return row((text, self.look.text))
        style = self.look.strong if which == "expected" else self.look.fault + self.look.bold
        first = cell.index == self.mismatch.index
        if first:
            text = text.rjust(self.column - 1)
            style = style + self.look.fault_band
        return row((text, style))

    def off_by(self) -> Row:
        pieces = []
        for cell in self.cells:
            text = figures.difference(cell.got, cell.expected, self.decimals) if cell.wrong else "·"
            pieces.append(row((text, self.look.fault if cell.wrong else self.look.faint)))
        return self._row("off by", pieces)

    def blocks(self) -> Row | None:
        """The blocks' names at the border between two of them."""
        if not self.borders:
            return None
        border = min(self.borders)
        left, right = self.cells[border - 1].block, self.cells[border].block
        if left is None or right is None:
            return None
        at = 2 + LABEL + self.column * border
        before = f"block {figures.coordinates(left)}"
        line = row(" " * max(0, at - len(before)), (before, self.look.muted))
        return row(line, "   ", (f"block {figures.coordinates(right)}", self.look.muted))


def picture(mismatch: Mismatch, width: int, look: Look, *, most_rows: int = MOST_ROWS, axis: bool = False) -> list[Row]:
    """All of the output: wrong elements filled, right ones dots; a row per block, or per row of a matrix."""
    total = prod(mismatch.shape)
    columns = _row_length(mismatch, total)
    if total == 0 or columns == 0:
        return []
    owner = "block" if mismatch.row else "row" if len(mismatch.shape) > 1 else ""
    count = -(-total // columns)
    lead = "" if axis else f"{owner} "
    label = len(f"{lead}{count - 1}") + 2 if owner else max(3, len(mismatch.array)) + 2
    room = width - 4 - label
    per_cell = max(1, -(-columns // room))
    per_row = 1 if count <= most_rows or owner == "block" else -(-count // most_rows)
    wrong = {(flat // columns // per_row, flat % columns // per_cell) for flat in mismatch.wrong_cells}
    shown = _rows_shown(wrong, -(-count // per_row), most_rows)
    rows = []
    for number in shown:
        last = min(total, (number + 1) * per_row * columns) - number * per_row * columns
        length = -(-min(last, columns) // per_cell)
        name = f"{lead}{number * per_row}" if owner else mismatch.array if not number else ""
        rows.append(_picture_row(name, label, {x for y, x in wrong if y == number}, length, look))
    if axis and rows:
        rows.append(_axis(label, columns, per_cell, look))
    rest = -(-count // per_row) - len(shown)
    if rest > 0:
        more = sum(1 for y in {y for y, _ in wrong} if y not in shown)
        noun = owner or "row"
        words = figures.plural(rest, f"more {noun}", f"more {noun}s")
        rows.append(row(" " * (2 + label), (f"{words}, {more} of them with wrong elements", look.muted)))
    if per_cell * per_row > 1:
        _add_scale(rows, per_cell * per_row, width, look)
    return rows


def _add_scale(rows: list[Row], elements: int, width: int, look: Look) -> None:
    """How many elements a cell stands for: beside the picture where there is room, else below."""
    words = f"a cell is {elements} elements"
    if rows and max(line.cell_len for line in rows) + len(words) + 5 < width:
        rows[0].append("    ")
        rows[0].append(words, look.muted)
    else:
        rows.append(row("  ", (words, look.muted)))


def _row_length(mismatch: Mismatch, total: int) -> int:
    if mismatch.row:
        return mismatch.row
    return mismatch.shape[-1] if len(mismatch.shape) > 1 else total


def _rows_shown(wrong: set[tuple[int, int]], count: int, most: int) -> list[int]:
    """The first rows; where none of them is wrong, the last one gives way to the first that is."""
    shown = list(range(min(count, most)))
    faulty = sorted({y for y, _ in wrong})
    if faulty and faulty[0] not in shown:
        shown[-1] = faulty[0]
    return shown


def _picture_row(name: str, label: int, wrong: set[int], length: int, look: Look) -> Row:
    """One row in runs of one style: neighbours of a kind share it."""
    line = row("  ", (name.ljust(label), look.muted))
    start = 0
    while start < length:
        end = start
        while end < length and (end in wrong) == (start in wrong):
            end += 1
        filled = start in wrong
        line.append(("█" if filled else "·") * (end - start), look.fault if filled else look.faint)
        start = end
    return line


def _axis(label: int, columns: int, per_cell: int, look: Look) -> Row:
    """Indices under the picture, every eighth cell, and the last."""
    length = -(-columns // per_cell)
    line = " " * (2 + label)
    for place in range(0, length, 8):
        text = str(place * per_cell)
        if place + len(text) + 3 < length or place == 0:
            line = line.ljust(2 + label + place) + text
    last = str(columns - 1)
    if len(line) < 2 + label + length - len(last) - 1:
        line = line.ljust(2 + label + length - len(last)) + last
    return row((line, look.muted))
