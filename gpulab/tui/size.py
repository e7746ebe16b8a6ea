"""How small a screen may be, and what is said on one that is smaller."""

from __future__ import annotations

from gpulab.views.look import Look
from gpulab.views.page import Page
from gpulab.views.rows import blank, paragraph

LEAST_WIDTH, LEAST_HEIGHT = 60, 20
LEAST_LAB_HEIGHT = 8
"""A Lab below an editor in a split keeps its verdict and little else."""


def too_small(width: int, height: int, look: Look, *, least_height: int = LEAST_HEIGHT) -> Page | None:
    """The page to show instead, or None where there is room enough."""
    if width >= LEAST_WIDTH and height >= least_height:
        return None
    words = f"gpulab needs {LEAST_WIDTH} columns and {LEAST_HEIGHT} rows. This screen has {width} and {height}: " \
            "make it larger, and it goes on where it was."  # fmt: skip
    return Page([blank(), *paragraph(words, max(12, width), look)]).finished(look)
