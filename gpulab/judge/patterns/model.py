"""One output with wrong elements, and what is said of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]

ENOUGH = 3
"""Fewer wrong elements agree by chance."""


@dataclass(frozen=True)
class Pattern:
    """`sentence` says what the wrong elements have in common, `next` where to look.

    A pattern may be true and say little. `vague` is 0 where it tells something, 1 where it may be chance ("Only the
    last two elements are wrong."), 2 where it says no more than that all is wrong; a more telling one in a larger case
    is shown in its stead.
    """

    sentence: str
    next: str
    vague: int = 0


@dataclass
class Wrong:
    """One output with wrong elements.

    `row` is the number of consecutive elements a block owns where blocks own such runs, `tile` the (rows, columns) it
    owns of a matrix. `inputs` are the arrays the kernel was given, `initial` what an updated output held before.
    """

    wrong: Mask
    got: Array
    expected: Array
    name: str = "out"
    row: int | None = None
    tile: tuple[int, int] | None = None
    inputs: Mapping[str, Array] = field(default_factory=dict)
    initial: Array | None = None
    word: str = "wrong"
    """What the marked elements are: "wrong" or "unwritten"."""

    @cached_property
    def many(self) -> int:
        """How many elements are wrong."""
        return int(np.count_nonzero(self.wrong))

    @property
    def all(self) -> bool:
        """Whether every element is wrong."""
        return self.many == self.wrong.size

    @property
    def every(self) -> str:
        """Subject of a sentence about each wrong element."""
        return "Every element" if self.all else "Every wrong element"

    @cached_property
    def values(self) -> npt.NDArray[np.float64]:
        """What was got where it is wrong."""
        return np.asarray(self.got, np.float64)[self.wrong]

    @cached_property
    def exact(self) -> npt.NDArray[np.float64]:
        """What was expected where it is wrong."""
        return np.asarray(self.expected, np.float64)[self.wrong]
