"""Numbers and places as a learner reads them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING

from gpulab.trace.coordinates import NO_THREAD

if TYPE_CHECKING:  # Home is painted before what a run did is imported
    from gpulab.trace.model import Coordinates
    from gpulab.trace.values import Value

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def in_words(count: int) -> str:
    """Small numbers as words, others as digits."""
    return NUMBERS[count] if 0 <= count < len(NUMBERS) else str(count)


def plural(count: int, noun: str, nouns: str | None = None) -> str:
    """`1 case`, `8 cases`."""
    return f"{count} {noun if count == 1 else nouns or noun + 's'}"


def value(number: Value, decimals: int = 2, *, exact: bool = True) -> str:
    """One scalar with `decimals` places; very large ones, and if it must be exact very small ones, with an exponent."""
    if isinstance(number, (bool, str, int)):
        return str(number)
    if not math.isfinite(number):
        return str(number)
    small = exact and 0 < abs(number) < 10 ** -(decimals + 1)
    return f"{number:.{decimals}e}" if small or abs(number) >= 1e6 else f"{number:.{decimals}f}"


def brief(number: Value) -> str:
    """A value in five cells: `-1.37`, `12345`, `1e9`."""
    if isinstance(number, bool):
        return "true" if number else "false"
    if isinstance(number, str):
        return number[:5]
    if float(number).is_integer() and abs(number) < 100000:
        return str(int(number))
    for decimals in (2, 1, 0):
        text = f"{number:.{decimals}f}"
        if len(text) <= 5:
            return text
    return f"{number:.0e}".replace("e+0", "e").replace("e+", "e").replace("e-0", "e-")[:5]


def values(numbers: Sequence[Value], tell_apart: Iterable[tuple[Value, Value]] = ()) -> list[str]:
    """Scalars with as many places as it takes for the given pairs to look different (2 to 8)."""
    decimals = places(tell_apart)
    return [value(number, decimals) for number in numbers]


def places(tell_apart: Iterable[tuple[Value, Value]]) -> int:
    """How many decimals show that the two numbers of each pair differ."""
    pairs = list(tell_apart)
    for decimals in range(2, 9):
        if all(value(a, decimals) != value(b, decimals) for a, b in pairs):
            return decimals
    return 8


def difference(got: Value, expected: Value, decimals: int = 2) -> str:
    """`got - expected` with its sign, or the dot that means none."""
    if isinstance(got, str) or isinstance(expected, str):  # NaN and infinities come as text
        return "·" if got == expected else str(got if isinstance(got, str) else expected)
    delta = got - expected
    if delta == 0:
        return "·"
    if isinstance(delta, float) and math.isnan(delta):
        return "nan"
    text = value(delta, decimals)
    return text if text.startswith("-") else f"+{text}"


def ratio(number: float) -> str:
    """A counted figure: whole where it is whole, else two places."""
    return f"{number:,.0f}" if float(number).is_integer() else f"{number:,.2f}"


def limit(number: float) -> str:
    """A limit as its author wrote it: no zeros behind the point."""
    return f"{number:,.0f}" if float(number).is_integer() else f"{number:,.4f}".rstrip("0")


def short(size: int) -> str:
    """A size in at most three cells: `129`, `1k`, `64k`, `1M`."""
    for unit, scale in (("G", 10**9), ("M", 10**6), ("k", 10**3)):
        if abs(size) >= scale:
            return f"{size // scale}{unit}"
    return str(size)


def seconds(spent: float) -> str:
    """`0.08 s`, `1.4 s`, `12 s`."""
    return f"{spent:.2f} s" if spent < 1 else f"{spent:.1f} s" if spent < 10 else f"{spent:.0f} s"


def place(index: Sequence[int] | None) -> str:
    """`[33]`, `[2, 5]`."""
    return f"[{', '.join(map(str, index))}]" if index is not None else ""


def element(array: str | None, index: Sequence[int] | None) -> str:
    """`tile[33]`; `tile` where the index is not known."""
    return f"{array or ''}{place(index)}"


def extent(size: Coordinates) -> str:
    """The shape of a grid or a block as a launch has it: `8`, `(3, 2)`."""
    dims = 3 if size[2] > 1 else 2 if size[1] > 1 else 1
    return str(size[0]) if dims == 1 else str(size[:dims])


def dimensions(*places: Coordinates | None) -> int:
    """How many of x, y and z it takes to tell these places."""
    told = (where for where in places if where is not None and where != NO_THREAD)
    return max((3 if where[2] else 2 if where[1] else 1 for where in told), default=1)


def coordinates(where: Coordinates, dims: int = 1) -> str:
    """A thread or block: `32` where only x counts, else `(3, 1)` or `(3, 1, 2)`; at least `dims` of them."""
    count = max(dims, dimensions(where))
    return str(where[0]) if count == 1 else f"({', '.join(map(str, where[:count]))})"


def thread(where: Coordinates | None, block: Coordinates | None = None, dims: int = 1) -> str:
    """`thread 32`, and `of block 1` where it is given; of Triton, which tells no threads, `program 1`."""
    if where == NO_THREAD:
        return f"program {coordinates(block)}" if block is not None else "a program"
    if where is None:
        return f"block {coordinates(block)}" if block is not None else "a thread"
    name = f"thread {coordinates(where, dims)}"
    return f"{name} of block {coordinates(block)}" if block is not None else name


def alone(where: Coordinates | None, block: Coordinates | None, dims: int = 1) -> str:
    """The thread without its block; a program, which is no thread of one, is its own."""
    return thread(where, block if where == NO_THREAD else None, dims)


def counted(figure: float, name: str) -> str:
    """`3.00 loads per output`, `1 load per output`, `2 launches`."""
    words = name.replace("_", " ")
    if figure == 1:
        words = re.sub(r"\b(load|store|barrier|atomic|request|sector|array|conflict)s\b", r"\1", words, count=1)
        words = re.sub(r"\blaunches\b", "launch", words)
    return f"{ratio(figure)} {words}"


def sizes(of: Mapping[str, int], equals: str = " = ") -> str:
    """`n = 129`; `rows = 5, columns = 7`."""
    return ", ".join(f"{name}{equals}{size}" for name, size in of.items())


TOGETHER = "\u00a0=\u00a0"
"""The same for a text that is folded: no row ends within it."""


def listed(names: Sequence[str], most: int = 4) -> str:
    """`a`, `a and b`, `a, b and c`, `a, b, c and 5 more`."""
    if len(names) > most:
        return f"{', '.join(names[:most - 1])} and {len(names) - most + 1} more"
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1]))) if names else ""


def clock(when: datetime | None) -> str:
    """`14:02:31`, in local time; empty for None."""
    return when.strftime("%H:%M:%S") if when else ""


def day(when: datetime, today: date) -> str:
    """`today`, `yesterday` or `12 Nov`; with the year where it is another."""
    if when.date() == today:
        return "today"
    if (today - when.date()).days == 1:
        return "yesterday"
    text = f"{when.day} {when:%b}"
    return text if when.year == today.year else f"{text} {when.year}"


def moment(iso: str) -> datetime | None:
    """The report's `when`; None where it holds none."""
    try:
        return datetime.fromisoformat(iso)
    except ValueError:
        return None
