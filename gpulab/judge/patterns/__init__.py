"""The pattern in wrong elements, in one sentence: what is wrong with all of them, or where they lie.

Pure functions of arrays. Each finder returns a `Pattern` that is true of every wrong element (and, where
it says "only" or "every", of the right ones too), or None.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gpulab.judge.patterns.cases import over_cases
from gpulab.judge.patterns.model import Pattern, Wrong
from gpulab.judge.patterns.places import in_line, in_matrix
from gpulab.judge.patterns.values import alike, close, copied, left_alone, moved, scaled, wrapped
from gpulab.judge.wording import count

PLACES: tuple[Callable[[Wrong], Pattern | None], ...] = (in_line, in_matrix)
FINDERS = (left_alone, wrapped, moved, copied, scaled, *PLACES, alike, close)
"""The most telling first: right values elsewhere say more than where the wrong ones lie."""

__all__ = ["Pattern", "Wrong", "find_pattern", "over_cases", "share"]


def find_pattern(found: Wrong) -> Pattern | None:
    """The most telling pattern, or None where no finder sees one. An array of one element has none."""
    if not found.many or found.wrong.size < 2:
        return None
    with np.errstate(all="ignore"):
        for finder in FINDERS if found.word == "wrong" else PLACES:
            pattern = finder(found)
            if pattern is not None:
                return pattern
    return None


def share(found: Wrong) -> str:
    """What can be said without a pattern: how many there are."""
    if found.many == 1:
        return "" if found.wrong.size == 1 else f"It is the only {found.word} one of {found.wrong.size} elements."
    return f"{found.many} of {count(found.wrong.size, 'element')} are {found.word}."
