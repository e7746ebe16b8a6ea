"""What the compiler is known to do to accesses as written: drop a second one, merge neighbours."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Rewrite:
    """The compiler's change to one access of the source.

    `width` 0 drops it; 2 or 4 merges it with the next ones: the first of `width` neighbours stands for them all.
    `why` is a sentence for the learner.
    """

    width: int
    why: str
