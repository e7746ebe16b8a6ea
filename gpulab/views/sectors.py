"""32 lanes over the 32-byte sectors of memory: what is asked for, and what moves for nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.style import Style

from gpulab.trace.picture import PictureArray, PictureStep
from gpulab.trace.traffic import SECTOR, WORD, traffic
from gpulab.views.look import Look
from gpulab.views.rows import Row, apart, row

MOST_ROWS = 5
"""Rows of sectors in which untouched ones are drawn too; a wider reach is drawn without them."""

ASKED, WASTED, ALONE, GAP = "█", "░", "·", "┊"


@dataclass(frozen=True)
class Strip:
    """How an array's memory is laid out in rows of sectors."""

    step: PictureStep
    array: PictureArray
    label: int
    """Cells before the first sector."""
    per_row: int

    @property
    def whole(self) -> bool:
        """Whether sectors move whole: only those of global memory do."""
        return self.array.space == "global"

    @property
    def glyphs(self) -> int:
        """Cells of a sector: one for 4 bytes, or for an element where it is smaller."""
        return SECTOR // min(WORD, self.array.itemsize)

    @property
    def shown(self) -> list[int]:
        """Numbers of the sectors drawn, a whole number of rows unless only touched ones are."""
        touched = traffic(self.step, self.array).sectors
        if not touched:
            return []
        first, last = (self.origin + (sector - self.origin) // self.per_row * self.per_row
                       for sector in (touched[0], touched[-1]))
        if last - first < MOST_ROWS * self.per_row:
            return list(range(first, last + self.per_row))
        return list(touched)

    @property
    def origin(self) -> int:
        """The sector in which the array begins."""
        return self.array.first_byte // SECTOR

    @property
    def rows(self) -> list[list[int]]:
        shown = self.shown
        return [shown[place:place + self.per_row] for place in range(0, len(shown), self.per_row)]

    def glyph_of(self, byte: int) -> tuple[int, int]:
        """(sector, glyph within it) of a byte."""
        return byte // SECTOR, byte % SECTOR * self.glyphs // SECTOR

    def asked(self, lanes: Sequence[int] | None = None) -> set[tuple[int, int]]:
        """(sector, glyph) of everything these lanes (all) ask for."""
        cells = [cell for lane, cell in enumerate(self.step.cells)
                 if cell is not None and (lanes is None or lane in lanes)]
        size = min(WORD, self.array.itemsize)
        return {self.glyph_of(self.array.byte(cell) + offset)
                for cell in cells for offset in range(0, self.array.itemsize, size)}

    def lanes_of(self, sectors: Sequence[int]) -> list[int]:
        """The lanes that touch any of these sectors."""
        inside = set(sectors)
        return [lane for lane, cell in enumerate(self.step.cells)
                if cell is not None and self.array.byte(cell) // SECTOR in inside]


def strip(step: PictureStep, array: PictureArray, width: int, label: int) -> Strip:
    """As many sectors in a row as `width` holds, a power of two, eight at most."""
    glyphs = SECTOR // min(WORD, array.itemsize)
    fit = (width - label + 1) // (glyphs + 1)
    return Strip(step, array, label, next((count for count in (8, 4, 2) if count <= fit), 1))


def picture(drawn: Strip, look: Look, *, chosen: int | None = None, numbered: bool = False) -> list[Row]:
    """The rows, each in one style (but for the chosen lane's element); with `numbered`, above each its lanes."""
    asked, own = drawn.asked(), drawn.asked([chosen]) if chosen is not None else set()
    rows: list[Row] = []
    for sectors in drawn.rows:
        lanes = drawn.lanes_of(sectors)
        if numbered:
            rows.append(_lane_numbers(drawn, sectors, look))
        rows.append(_row(drawn, sectors, lanes, asked, own, look, numbered))
    return rows


def _row(drawn: Strip, sectors: list[int], lanes: list[int], asked: set[tuple[int, int]], own: set[tuple[int, int]],
         look: Look, numbered: bool) -> Row:
    label = _row_label(drawn, sectors) if numbered else _lane_range(lanes)
    line = row((f"{label:>{drawn.label - 1}} ", look.muted))
    touched = {sector for sector, _ in asked}
    for place, sector in enumerate(sectors):
        if place:
            line.append("│" if sector == sectors[place - 1] + 1 else GAP, look.data[0] if lanes else look.faint)
        hue = look.data[0] if sector in touched or not numbered else look.faint
        moved = touched if drawn.whole else set()
        _append_sector(line, drawn.glyphs, sector, asked, own, moved, hue if lanes else look.faint, look)
    return line


def _append_sector(line: Row, glyphs: int, sector: int, asked: set[tuple[int, int]], own: set[tuple[int, int]],
                   moved: set[int], hue: Style, look: Look) -> None:
    text = "".join(_glyph(sector, glyph, asked, moved) for glyph in range(glyphs))
    mine = sorted(glyph for where, glyph in own if where == sector)
    if not mine:
        line.append(text, hue)
        return
    line.append(text[:mine[0]], hue)
    line.append(text[mine[0]:mine[-1] + 1], look.accent)
    line.append(text[mine[-1] + 1:], hue)


def _glyph(sector: int, glyph: int, asked: set[tuple[int, int]], moved: set[int]) -> str:
    if (sector, glyph) in asked:
        return ASKED
    return WASTED if sector in moved else ALONE


def _lane_range(lanes: Sequence[int]) -> str:
    """`0-7`; where the lanes are no row, how many they are."""
    if not lanes:
        return ""
    if len(lanes) == 1:
        return str(lanes[0])
    return f"{lanes[0]}-{lanes[-1]}" if lanes[-1] - lanes[0] + 1 == len(lanes) else f"{len(lanes)}/32"


def _first_index(drawn: Strip, sectors: Sequence[int]) -> tuple[int, ...]:
    """The index of the element at which a row of sectors begins."""
    return drawn.array.index((sectors[0] * SECTOR - drawn.array.first_byte) // drawn.array.itemsize)


def axis(drawn: Strip) -> str:
    """What the rows are numbered by: the array's own rows where each row of sectors begins with one, its elements
    in one dimension, else sectors."""
    if len(drawn.array.shape) == 1 and drawn.array.strides[0] == 1:
        return "at"
    begins = all(not any(_first_index(drawn, sectors)[1:]) for sectors in drawn.rows)
    return "row" if begins and drawn.array.strides[-1] == 1 else "sec"


def _row_label(drawn: Strip, sectors: Sequence[int]) -> str:
    by = axis(drawn)
    return str(sectors[0] - drawn.origin if by == "sec" else max(0, _first_index(drawn, sectors)[0]))


def _lane_numbers(drawn: Strip, sectors: Sequence[int], look: Look) -> Row:
    """Above each sector the lanes that touch it: over its own element where it is one lane."""
    line = " " * drawn.label
    for place, sector in enumerate(sectors):
        start = drawn.label + place * (drawn.glyphs + 1)
        lanes = drawn.lanes_of([sector])
        if not lanes:
            continue
        text = str(lanes[0]) if len(lanes) == 1 else f"{lanes[0]} to {lanes[-1]}"
        if len(lanes) > 1 and lanes[-1] - lanes[0] + 1 != len(lanes):
            text = f"{len(lanes)} lanes"
        if len(lanes) == 1:
            start += min(glyph for _, glyph in drawn.asked(lanes))
        text = text if len(text) <= drawn.glyphs else text.replace(" to ", "-")
        line = line.ljust(start) + text
    return row((line.rstrip(), look.data[0]))


def legend(step: PictureStep, array: PictureArray, width: int, label: int, look: Look) -> Row:
    """What the glyphs mean, and whose memory this is."""
    word = "asked for" if step.kind == "load" else "stored" if step.kind == "store" else "updated"
    line = row(" " * label, (f"{ASKED} ", look.data[0]), (word, look.muted))
    if array.space == "global":
        line = row(line, "   ", (f"{WASTED} ", look.data[0]), ("moved for nothing", look.muted))
    line = row(line, "   ", (f"{ALONE} ", look.faint), ("left alone", look.muted))
    name = row((f"{array.name}, in memory order", look.muted))
    return apart(line, name, width) if line.cell_len + name.cell_len + 3 < width else line


def unit(array: PictureArray) -> str:
    """`a cell is one float32, 4 bytes; 8 cells are one sector, 32 bytes`."""
    if array.space == "shared" and array.itemsize == WORD:
        return f"a cell is one {array.dtype}, a word of 4 bytes; word w is in bank w % 32"
    if array.itemsize > WORD:
        return (f"two cells are one {array.dtype}, {array.itemsize} bytes; 8 cells are one sector, 32 bytes"
                if array.itemsize == 8 else
                f"four cells are one {array.dtype}, {array.itemsize} bytes; 8 cells are one sector, 32 bytes")
    cells = SECTOR // array.itemsize
    size = "1 byte" if array.itemsize == 1 else f"{array.itemsize} bytes"
    return f"a cell is one {array.dtype}, {size}; {cells} cells are one sector, 32 bytes"
