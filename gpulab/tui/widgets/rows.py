"""Rows of text by the Line API. Showing other rows repaints only the cells that differ: over SSH bytes are time."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from gpulab.views.page import Page
from gpulab.views.rows import Row, blank, padded

Cell = tuple[str, Style | None]

MOVE, RESTYLE = 8, 19
"""Bytes of a jump to another place, and of another colour."""


class RowsView(Widget, can_focus=False):
    """As many rows as the widget is high; what is shown never changes its size."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._rows: list[Row] = []
        self._strips: dict[int, Strip] = {}
        self._painted_in: Style | None = None
        """The widget's own colours when the strips were made: another theme makes them anew."""

    @property
    def rows(self) -> Sequence[Row]:
        """What is shown."""
        return self._rows

    def show(self, rows: Sequence[Row]) -> None:
        """Show these rows instead."""
        first = not self._rows
        before, self._rows, self._strips = self._strips, list(rows), {}
        if first or not self.size.width or not before or self._painted_in != self.rich_style:
            self.refresh()
            return
        changed = [region for y in range(self.size.height) for region in self._changed(before.get(y), y)]
        if changed:
            self.refresh(*changed)

    def _changed(self, before: Strip | None, y: int) -> list[Region]:
        """The spans of row `y` in which it differs from `before`."""
        now = self._line(y)
        if before is None:
            return [Region(0, y, self.size.width, 1)]
        if before == now:
            return []
        old, new = _cells(before), _cells(now)
        if len(old) != len(new):
            return [Region(0, y, self.size.width, 1)]
        return [Region(first, y, end - first, 1) for first, end in spans(old, new)]

    def render_line(self, y: int) -> Strip:
        """One row as Textual paints it."""
        style = self.rich_style
        if self._painted_in != style:
            self._painted_in, self._strips = style, {}
        return self._line(y)

    def _line(self, y: int) -> Strip:
        """One row in the colours that the widget was painted in: to ask for them again takes as long as the rest."""
        strip = self._strips.get(y)
        if strip is None or strip.cell_length != self.size.width:
            strip = self._strips[y] = self._strip(y)
        return strip

    def _strip(self, y: int) -> Strip:
        line = padded(self._rows[y] if y < len(self._rows) else blank(), self.size.width)
        segments = [segment for segment in line.render(self.app.console) if segment.text != "\n"]
        return Strip(segments, self.size.width).apply_style(self._painted_in or self.rich_style).simplify()


def spans(old: Sequence[Cell], new: Sequence[Cell]) -> list[tuple[int, int]]:
    """Where two rows of as many cells differ, as [first, end): whole characters, and what lies close together at once.
    """
    found: list[tuple[int, int]] = []
    for x, (before, after) in enumerate(zip(old, new, strict=True)):
        if before == after:
            continue
        first, end = x, x + 1
        while first and (not old[first][0] or not new[first][0]):
            first -= 1
        while end < len(new) and (not old[end][0] or not new[end][0]):
            end += 1
        if found and (first <= found[-1][1] or _goes_on(new, found[-1][1], first)):
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((first, end))
    return found


def _goes_on(row: Sequence[Cell], end: int, first: int) -> bool:
    """Whether to send what lies between two spans takes fewer bytes than to jump over it."""
    inked = [style for char, style in row[end - 1:first + 1] if char != " "]
    going = sum(len(char.encode()) for char, _ in row[end:first])
    going += RESTYLE * sum(before != after for before, after in pairwise(inked))
    jumping = MOVE + RESTYLE * (row[end - 1][1] != row[first][1])
    return going <= jumping


def _cells(strip: Strip) -> list[Cell]:
    """The strip cell by cell as it is seen: of a blank only what is behind it. The second half of a wide character is
    empty."""
    cells: list[Cell] = []
    for text, style, _ in strip:
        blank_style = style if style is None or style.reverse or style.underline or style.strike \
            else style.background_style
        if cell_len(text) == len(text):
            cells += [(char, blank_style if char == " " else style) for char in text]
            continue
        for char in text:
            cells.append((char, blank_style if char == " " else style))
            cells.extend([("", style)] * (Segment(char).cell_length - 1))
    return cells


class PageView(RowsView):
    """A page: its band and foot stand still, its body scrolls where it does not fit."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.page = Page([])
        self.top = 0
        """The first row of the body that is shown."""
        self._covering: Sequence[Row] = ()

    @property
    def room(self) -> int:
        """Rows there are for the body."""
        taken = len(self.page.band) + len(self.page.foot) + len(self._covering)
        return max(1, self.size.height - taken)

    @property
    def overflow(self) -> int:
        """Rows of the body that do not fit."""
        return max(0, len(self.page.body) - self.room)

    def show_page(self, page: Page, top: int | None = None) -> None:
        """Show a page from row `top` of its body, by default where the last one stood."""
        self.page = page
        self.top = max(0, min(self.top if top is None else top, self.overflow))
        body = page.body[self.top:self.top + self.room]
        body += [blank()] * (self.room - len(body))
        rows = [*page.band, *body, *page.foot]
        self.show([*rows[:self.size.height - len(self._covering)], *self._covering] if self._covering else rows)

    def cover(self, rows: Sequence[Row]) -> None:
        """Rows below the page, whose body gives way to them; none takes them away again."""
        if rows or self._covering:
            self._covering = list(rows)
            self.show_page(self.page)

    def scroll_rows(self, rows: int) -> None:
        """Move the body by some rows, as far as there are any."""
        self.show_page(self.page, self.top + rows)

    def scroll_pages(self, pages: int) -> None:
        """Move the body by its height, less one row that stays in view."""
        self.scroll_rows(pages * max(1, self.room - 1))
