"""How small a screen may be, and what is said on one that is smaller."""

from __future__ import annotations

from gpulab.views.look import Look
from gpulab.views.page import Page
from gpulab.views.rows import blank, paragraph

LEAST_WIDTH, LEAST_HEIGHT = 60, 20
LEAST_LAB_HEIGHT = 8
"""A Lab below an editor in a split keeps its verdict and little else."""
FRAME = 3
"""Rows of title, tabs and keys."""


def fits(width: int, height: int, least_height: int = LEAST_HEIGHT) -> bool:
    """Whether there is room for a page."""
    return width >= LEAST_WIDTH and height >= least_height


def too_small(width: int, height: int, look: Look, *, least_height: int = LEAST_HEIGHT) -> Page | None:
    """The page to show instead, in as many words as there is room for, or None where there is room enough."""
    if fits(width, height, least_height):
        return None
    needs = f"{LEAST_WIDTH} columns and {LEAST_HEIGHT} rows"
    wordings = (
        f"gpulab needs {needs}. This screen has {width} and {height}: make it larger, and it goes on where it was.",
        f"gpulab needs {needs}: make this screen larger.",
        f"Too small: {LEAST_WIDTH} x {LEAST_HEIGHT} are needed.",
    )
    room = max(1, height - FRAME)
    for words in wordings:
        lines = paragraph(words, max(12, width), look)
        if len(lines) <= room:
            break
    return Page([*([blank()] if len(lines) < room else []), *lines]).finished(look)
