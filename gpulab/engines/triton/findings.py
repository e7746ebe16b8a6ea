"""Faults of a launch as they are met: one for each kind, line and tensor, with a sentence for a beginner."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from gpulab.trace import Coordinates, Finding, Note, Site
from gpulab.trace.coordinates import NO_THREAD, program_name


class Findings:
    """Collects findings and notes. Later sightings of the same fault only raise its count."""

    def __init__(self, grid: Coordinates) -> None:
        self.grid = grid
        self._found: dict[tuple[Any, ...], Finding] = {}
        self._notes: dict[tuple[str, int], Note] = {}

    @property
    def found(self) -> list[Finding]:
        return list(self._found.values())

    @property
    def notes(self) -> list[Note]:
        return list(self._notes.values())

    def copy(self) -> Findings:
        """As it is now."""
        other = Findings(self.grid)
        other._found, other._notes = dict(self._found), dict(self._notes)
        return other

    def note(self, kind: str, message: str, line: int) -> None:
        self._notes.setdefault((kind, line), Note(kind, message, line))

    def reloads(self, line: int, name: str, index: tuple[int, ...], store: int) -> None:
        """A program loads in one lane what another lane of it stored, and no barrier lies between."""
        where = f"{name}[{', '.join(map(str, index))}]"
        self.note("order", f"Line {line} loads {where} in another lane than stored it on line {store}: without "
                           "tl.debug_barrier() between them, a GPU may do so too early.", line)

    def coordinates(self, program: int) -> Coordinates:
        """The program's ids along the three axes of the grid, the first axis fastest."""
        x, y, _ = self.grid
        return program % x, program // x % y, program // (x * y)

    def who(self, program: int) -> str:
        """ "program 3", "program (1, 2)": as much as the grid needs."""
        return program_name(self.coordinates(program), self.grid)

    def _add(self, finding: Finding) -> None:
        other = finding.other.line if finding.other else None
        key = (finding.kind, finding.array, *sorted((finding.line, other or finding.line)))
        known = self._found.get(key)
        self._found[key] = replace(known, count=known.count + finding.count) if known else finding

    def out_of_bounds(self, program: int, line: int, access: str, name: str, shape: tuple[int, ...],
                      index: tuple[int, ...], count: int, masked: bool, lanes: int) -> None:
        """A lane of `program` asks for what is no element; `count` lanes of `lanes` on this line do."""
        where = f"{name}[{', '.join(map(str, index))}]"
        start = f"{_capital(self.who(program))} {access} {where}"
        if any(at < 0 for at in index):
            message = f"{start}: a negative index, in front of {name}."
        elif len(shape) == 1:
            message = f"{start}, but {name} has {shape[0]} element{'' if shape[0] == 1 else 's'}."
        else:
            message = f"{start}, but {name} is {' x '.join(map(str, shape)) or 'a single element'}."
        self._add(Finding("out of bounds", message, line, self.coordinates(program), NO_THREAD, name, index,
                          access=access, count=count, masked=masked, lanes=lanes))

    def nowhere(self, program: int, line: int, access: str, count: int) -> None:
        """A lane uses a number as an address that was not computed from any tensor's."""
        message = f"{_capital(self.who(program))} {access} an address that is no tensor's."
        self._add(Finding("out of bounds", message, line, self.coordinates(program), NO_THREAD, access=access,
                          count=count))

    def race(self, line: int, access: str, name: str, index: tuple[int, ...], program: int, other: int,
             other_line: int, other_access: str, count: int) -> None:
        """Two programs, or two lanes of one, at one element."""
        where = f"{name}[{', '.join(map(str, index))}]"
        message = race_message(_capital(self.who(program)), self.who(other), access, other_access, where,
                               same=program == other)
        self._add(Finding("race", message, line, self.coordinates(program), NO_THREAD, name, index,
                          Site(other_line, self.coordinates(other), NO_THREAD), access, other_access, count))

    def masked_out(self, line: int, name: str, index: tuple[int, ...], program: int, store_line: int) -> None:
        """What a program stored depends on lanes that a load left out."""
        where = f"{name}[{', '.join(map(str, index))}]"
        message = f"{where} depends on lanes that line {line} left out."
        self._add(Finding("uninitialised read", message, line, self.coordinates(program), NO_THREAD,
                          other=Site(store_line, self.coordinates(program), NO_THREAD),
                          access="leaves lanes without a value", other_access=f"stores {where}", masked=True))

    def timed_out(self, program: int, line: int) -> None:
        """The launch did not end in its time."""
        message = f"Time ran out on line {line}, in {self.who(program)}."
        self._add(Finding("timed out", message, line, self.coordinates(program), NO_THREAD))


def race_message(who: str, other: str, access: str, other_access: str, where: str, same: bool) -> str:
    """Who collides with whom."""
    bare = {"reads": "read", "writes": "write", "updates": "update"}
    if same:
        return f"Two lanes of {who[0].lower()}{who[1:]} write {where} at once: one value is lost."
    if access == other_access == "writes":
        return f"{who} and {other} both write {where}: one value is lost."
    if other_access == "reads":
        return f"{who} {access} {where}, which {other} reads: before, or after?"
    return f"{who} {access} {where} while {other} may still {bare[other_access]} it."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
