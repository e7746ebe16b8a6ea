"""How numbers, elements, threads and blocks are written in every sentence of the lab."""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gpulab.trace.coordinates import program_name
from gpulab.trace.model import Coordinates
from gpulab.trace.values import Value

WIDTH = 76
"""Columns of one row of a message at 80x24, beside the band's mark."""

_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def fit(*wordings: str) -> str:
    """The first wording that fits one row, else the last."""
    return next((wording for wording in wordings if len(wording) <= WIDTH), wordings[-1])


def sentence(text: str) -> str:
    """`text` with a mark at its end."""
    text = text.strip()
    return text if text.endswith((".", "!", "?")) else text + "."


def shortened(text: str) -> str:
    """`text` as a sentence of one row; of a longer one, which stands in full elsewhere, the beginning."""
    text = sentence(text)
    return text if len(text) <= WIDTH else textwrap.shorten(text, WIDTH, placeholder=" ...")


def in_words(count: int) -> str:
    """Small counts as words."""
    return _WORDS[count] if 0 <= count < len(_WORDS) else str(count)


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 4th, 11th, 32nd."""
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th") if number % 100 not in (11, 12, 13) else "th"
    return f"{number}{ending}"


def plain(value: Any) -> Value:
    """A NumPy scalar as Python's; NaN and infinity as text, since JSON has neither."""
    item = value.item() if hasattr(value, "item") else value
    if isinstance(item, float) and not math.isfinite(item):
        return "nan" if math.isnan(item) else "inf" if item > 0 else "-inf"
    if isinstance(item, (bool, int, float, str)):
        return item
    return str(item)


def number(value: Value, digits: int = 2) -> str:
    """A value in at most about nine characters."""
    if isinstance(value, (bool, int, str)):
        return str(value)
    if value == 0 or (10.0 ** -digits <= abs(value) < 1e6):
        return f"{value:.{digits}f}" if value % 1 else f"{value:.0f}"
    return f"{value:.{digits}e}"


def two_numbers(one: Value, other: Value) -> tuple[str, str]:
    """Both values with as many digits as it takes to see that they differ."""
    if not (isinstance(one, float) or isinstance(other, float)):
        return str(one), str(other)
    for digits in range(2, 10):
        texts = number(one, digits), number(other, digits)
        if texts[0] != texts[1]:
            return texts
    return repr(one), repr(other)


def element(array: str, index: Sequence[int] | None) -> str:
    """`out[64]`, `out[1, 3]`, or the array's name alone."""
    return f"{array}[{', '.join(str(i) for i in index)}]" if index else array


def shape(lengths: Sequence[int]) -> str:
    """`5 elements`, `3 x 4`."""
    if len(lengths) == 1:
        return f"{lengths[0]} element{'' if lengths[0] == 1 else 's'}"
    return " x ".join(str(length) for length in lengths)


def count(many: int, one: str, more: str | None = None) -> str:
    """`1 element`, `3 elements`."""
    return f"{many} {one if many == 1 else more or one + 's'}"


_NAME = re.compile(r"\w*[_(\[]")


def capital(text: str) -> str:
    """The text with a capital first letter, unless it begins with a name from a program: `total_of() takes`."""
    if _NAME.match(text):
        return text
    return text[:1].upper() + text[1:]


@dataclass(frozen=True)
class Naming:
    """Names of threads and blocks in one launch: as many coordinates as the launch has dimensions."""

    blocks: Coordinates = (1, 1, 1)
    threads: Coordinates = (1, 1, 1)
    programs: bool = False
    """Whether it is Triton's launch: programs run the lines, and have no threads that anybody could name."""

    def thread(self, thread: Coordinates, block: Coordinates | None = None) -> str:
        """`thread 32`, `thread (1, 3) of block 2`; the block only where there are several and it is given."""
        if self.programs:
            return self.block(block or (0, 0, 0))
        name = f"thread {_position(thread, self.threads)}"
        if block is None or self.blocks == (1, 1, 1):
            return name
        return f"{name} of {self.block(block)}"

    def block(self, block: Coordinates) -> str:
        """`block 2`, `block (0, 2)`; of Triton `program 2`."""
        if self.programs:
            return program_name(block, self.blocks)
        return f"block {_position(block, self.blocks)}"

    def warp(self, thread: Coordinates) -> int:
        """The warp of a thread in its block: 32 consecutive threads, x fastest."""
        x, y, z = thread
        return (x + self.threads[0] * (y + self.threads[1] * z)) // 32


def _position(at: Coordinates, extent: Coordinates) -> str:
    dimensions = 3 if extent[2] > 1 or at[2] else 2 if extent[1] > 1 or at[1] else 1
    return str(at[0]) if dimensions == 1 else f"({', '.join(str(i) for i in at[:dimensions])})"
