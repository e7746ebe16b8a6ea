"""A page: the band that never scrolls, the body that may, and the rows above the keys."""

from __future__ import annotations

from dataclasses import dataclass, field

from rich.console import Group, RenderableType

from gpulab.views.glyphs import ascii_rows
from gpulab.views.look import Look
from gpulab.views.rows import Row

WIDE = 120
"""Columns from which pages stand side by side."""


@dataclass(frozen=True)
class Page:
    """What stands between the tabs and the keys."""

    body: list[Row]
    band: list[Row] = field(default_factory=list)
    foot: list[Row] = field(default_factory=list)

    @property
    def rows(self) -> list[Row]:
        return [*self.band, *self.body, *self.foot]

    def finished(self, look: Look) -> Page:
        """In ASCII where the look asks for it: the last thing done to every page."""
        if not look.ascii:
            return self
        return Page(ascii_rows(self.body), ascii_rows(self.band), ascii_rows(self.foot))

    def renderable(self) -> RenderableType:
        """For the CLI: one row after another."""
        rows = []
        for row in self.rows:
            line = row.copy()
            line.end = "\n"
            line.rstrip()
            rows.append(line)
        return Group(*rows)
