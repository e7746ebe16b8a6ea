"""Python code whose lines are the learner's, though it was compiled from a text of its own.

The table that says which instruction is of which line is written anew; numbering the nodes of a syntax tree before it
is compiled takes twice as long, and a learner waits for it at every save. The formats are those of PEP 626 (3.10) and
of CPython's Objects/locations.md (since 3.11).
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from types import CodeType

Range = tuple[int, int, "int | None"]
"""(first byte, last byte + 1, line); None for instructions of no line."""


def on_lines(code: CodeType, numbers: Sequence[int]) -> CodeType:
    """`code` and all code in it, line k of its text being line `numbers[k - 1]`."""
    def number(line: int | None) -> int | None:
        return numbers[line - 1] if line else None

    first = numbers[code.co_firstlineno - 1]
    ranges = [(start, end, number(line)) for start, end, line in code.co_lines()]
    inner = tuple(on_lines(const, numbers) if isinstance(const, CodeType) else const for const in code.co_consts)
    table = _locations(ranges, first) if sys.version_info >= (3, 11) else _pairs(ranges, first)
    return code.replace(co_linetable=table, co_firstlineno=first, co_consts=inner)


def _locations(ranges: Iterable[Range], line: int) -> bytes:
    """Entries of at most eight instructions of two bytes, without columns."""
    table = bytearray()
    for start, end, number in ranges:
        left = (end - start) // 2
        while left > 0:
            count = min(left, 8)
            left -= count
            if number is None:
                table.append(0x80 | 15 << 3 | count - 1)
                continue
            table.append(0x80 | 13 << 3 | count - 1)
            table += _signed(number - line)
            line = number
    return bytes(table)


def _signed(value: int) -> bytes:
    """Six bits a byte, the lowest first; the very lowest is the sign."""
    left = (-value << 1 | 1) if value < 0 else value << 1
    found = bytearray()
    while left >= 64:
        found.append(left & 63 | 64)
        left >>= 6
    found.append(left)
    return bytes(found)


def _pairs(ranges: Iterable[Range], line: int) -> bytes:
    """Pairs of bytes: how far, and by how many lines; -128 of no line."""
    table = bytearray()
    for start, end, number in ranges:
        far = end - start
        change = -128 if number is None else number - line
        if number is not None:
            while not -127 <= change <= 127:
                step = 127 if change > 0 else -127
                table += bytes((0, step & 255))
                change -= step
            line = number
        while far > 254:
            table += bytes((254, change & 255))
            far -= 254
            change = change if number is None else 0
        table += bytes((far, change & 255))
    return bytes(table)
