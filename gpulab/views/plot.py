"""A small plot of braille dots: 2 by 4 in each cell, axes in logarithms."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from math import log10

ACROSS, DOWN = 2, 4
"""Dots of a cell."""
_BITS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""By row and column of a cell (Unicode, "Braille Patterns")."""
BLANK = 0x2800


@dataclass
class Plot:
    """`width` by `height` cells over `x` and `y` from least to most, both logarithmic."""

    width: int
    height: int
    x: tuple[float, float]
    y: tuple[float, float]
    cells: dict[tuple[int, int], int] = field(default_factory=dict)
    marks: dict[tuple[int, int], str] = field(default_factory=dict)
    """(column, row) -> a glyph that stands over the dots."""

    def column(self, x: float) -> float:
        """Where `x` lies, in dots from the left."""
        return _place(x, self.x) * (self.width * ACROSS - 1)

    def line(self, y: float) -> float:
        """Where `y` lies, in dots from the top."""
        return (1 - _place(y, self.y)) * (self.height * DOWN - 1)

    def dot(self, across: int, down: int) -> None:
        """Set one dot; outside nothing happens."""
        if 0 <= across < self.width * ACROSS and 0 <= down < self.height * DOWN:
            cell = across // ACROSS, down // DOWN
            self.cells[cell] = self.cells.get(cell, 0) | _BITS[down % DOWN][across % ACROSS]

    def curve(self, points: list[tuple[float, float]]) -> None:
        """Straight lines, on these axes, from point to point."""
        placed = [(self.column(x), self.line(y)) for x, y in points]
        for (x0, y0), (x1, y1) in pairwise(placed):
            steps = max(1, round(max(abs(x1 - x0), abs(y1 - y0))))
            for step in range(steps + 1):
                part = step / steps
                self.dot(round(x0 + part * (x1 - x0)), round(y0 + part * (y1 - y0)))

    def mark(self, x: float, y: float, glyph: str) -> None:
        """A glyph at a point, drawn at the nearest cell below or on it: nothing may seem to lie above the roof."""
        column = min(self.width - 1, max(0, round(self.column(x)) // ACROSS))
        line = min(self.height - 1, max(0, int(self.line(y) + 0.999) // DOWN))
        self.marks[column, line] = glyph

    def rows(self) -> list[list[tuple[str, bool]]]:
        """Row by row, runs of (text, whether it is a mark)."""
        return [self._runs(y) for y in range(self.height)]

    def _runs(self, y: int) -> list[tuple[str, bool]]:
        runs: list[tuple[str, bool]] = []
        for x in range(self.width):
            glyph = self.marks.get((x, y))
            bits = self.cells.get((x, y), 0)
            text = glyph or (chr(BLANK + bits) if bits else " ")
            if runs and not glyph and not runs[-1][1]:
                runs[-1] = (runs[-1][0] + text, False)
            else:
                runs.append((text, glyph is not None))
        return runs


def _place(value: float, between: tuple[float, float]) -> float:
    """0 at the least, 1 at the most."""
    least, most = between
    return (log10(max(value, 1e-300)) - log10(least)) / (log10(most) - log10(least))
