"""What goes first when a screen is too low: blank rows, sizes of cases, explanations, context, the second picture."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from gpulab.views.rows import Row, blank

ALWAYS, PICTURE, EXPLAINS, SIZES, BLANK = range(5)
"""How easily a part is given up; `ALWAYS` never."""


@dataclass(frozen=True)
class Part:
    """Rows that stay or go together. The part that stretches takes up the rows that are left."""

    rows: Sequence[Row] = field(default_factory=list)
    gives: int = ALWAYS
    stretches: bool = False
    short: Sequence[Row] | None = None
    """The same in fewer rows, shown before a picture has to go."""


def space(rows: int = 1) -> Part:
    """Blank rows, the first to go."""
    return Part([blank()] * rows, BLANK)


def below(rows: Sequence[Row], gives: int) -> list[Part]:
    """Rows that stay or go together, and apart from them the blank row with which they begin."""
    if rows and not rows[0].plain.strip():
        return [space(), Part(rows[1:], gives)]
    return [Part(rows, gives)] if rows else []


STRETCH = Part(stretches=True)
"""Where a page that is not full is left empty."""


def fit(parts: Iterable[Part], height: int | None) -> list[Row]:
    """The rows of all parts, fewer where `height` asks for it; more than `height` only if nothing can go."""
    kept = list(parts)
    if height is not None:
        for gives in (BLANK, SIZES, EXPLAINS):
            kept = _without(kept, gives, height)
        if _height(kept) > height:
            kept = [part if part.short is None else replace(part, rows=part.short) for part in kept]
        kept = _without(kept, PICTURE, height)
    rows: list[Row] = []
    spare = max(0, height - _height(kept)) if height is not None else 0
    for part in kept:
        rows.extend(part.rows)
        if part.stretches and spare:
            rows.extend([blank()] * spare)
            spare = 0
    return rows


def _without(parts: list[Part], gives: int, height: int) -> list[Part]:
    """The parts without the last ones that give way so easily, as many as it takes."""
    kept = parts
    for part in [part for part in reversed(parts) if part.gives == gives]:
        if _height(kept) <= height:
            break
        kept = [other for other in kept if other is not part]
    return kept


def _height(parts: Iterable[Part]) -> int:
    return sum(len(part.rows) for part in parts)
