"""Faults as they are met while a launch runs: one for each kind, line and other line, with a sentence for a
beginner."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from gpulab.engines.simt.geometry import Geometry
from gpulab.engines.simt.memory import ArrayView, at
from gpulab.engines.simt.shadow import Conflict
from gpulab.trace import Coordinates, Finding, Note, Site


class Findings:
    """Collects findings and notes of one launch. Later sightings of the same fault only raise its count."""

    def __init__(self, grid: Coordinates, block: Coordinates) -> None:
        self.grid = grid
        self.block = block
        self._found: dict[tuple[Any, ...], Finding] = {}
        self._notes: dict[tuple[str, int], Note] = {}

    @property
    def found(self) -> list[Finding]:
        return list(self._found.values())

    @property
    def notes(self) -> list[Note]:
        return list(self._notes.values())

    def note(self, kind: str, message: str, line: int) -> None:
        self._notes.setdefault((kind, line), Note(kind, message, line))

    def add(self, finding: Finding) -> None:
        other = finding.other.line if finding.other else None
        key = (finding.kind, finding.array, *sorted((finding.line, other or finding.line)))
        known = self._found.get(key)
        self._found[key] = replace(known, count=known.count + finding.count) if known else finding

    def who(self, block: Coordinates, thread: Coordinates) -> str:
        """ "thread 3", "thread (3, 1)", "thread 3 of block 1": as much as the launch needs."""
        name = f"thread {_number(thread, self.block)}"
        return name if self.grid == (1, 1, 1) else f"{name} of block {_number(block, self.grid)}"

    def out_of_bounds(
        self,
        geometry: Geometry,
        line: int,
        access: str,
        view: ArrayView,
        position: int,
        index: tuple[int, ...],
        count: int,
    ) -> None:
        """`position` is the first bad lane of this batch."""
        block, thread = geometry.site(int(geometry.lane[position]))
        shape = tuple(int(at(extent, position)) for extent in view.shape)
        self.add(
            Finding(
                "out of bounds",
                self._bounds_message(self.who(block, thread), access, view.name, index, shape),
                line,
                block,
                thread,
                view.name,
                index,
                access=access,
                count=count,
            )
        )

    def _bounds_message(self, who: str, access: str, name: str, index: tuple[int, ...], shape: tuple[int, ...]) -> str:
        where = f"{name}[{', '.join(map(str, index))}]"
        start = f"{who[0].upper()}{who[1:]} {access} {where}"
        if any(i < 0 for i in index):
            return f"{start}: a negative index, in front of the array."
        if len(shape) == 1:
            return f"{start}, but {name} has {_count(shape[0], 'element')}."
        return f"{start}, but {name} is {' x '.join(map(str, shape))}."

    def race(
        self, geometry: Geometry, line: int, access: str, view: ArrayView, position: int, conflict: Conflict
    ) -> None:
        """`access` on `line` by `conflict.lane` collides with what another lane did before."""
        block, thread = geometry.site(conflict.lane)
        other_block, other_thread = geometry.site(conflict.other_lane)
        index = view.index_of(conflict.cell, position)
        where = f"{view.name}[{', '.join(map(str, index))}]"
        who, other = self.who(block, thread), self.who(other_block, other_thread)
        if block == other_block:
            other = f"thread {_number(other_thread, self.block)}"
        self.add(
            Finding(
                "race",
                _race_message(who, access, where, other, conflict.other_access),
                line,
                block,
                thread,
                view.name,
                index,
                Site(conflict.other_line, other_block, other_thread),
                access,
                conflict.other_access,
                conflict.count,
            )
        )

    def uninitialised(
        self, geometry: Geometry, line: int, view: ArrayView, position: int, cell: int, count: int
    ) -> None:
        block, thread = geometry.site(int(geometry.lane[position]))
        index = view.index_of(cell, position)
        where = f"{view.name}[{', '.join(map(str, index))}]"
        who = self.who(block, thread)
        self.add(
            Finding(
                "uninitialised read",
                f"{who[0].upper()}{who[1:]} reads {where}, which nobody has written.",
                line,
                block,
                thread,
                view.name,
                index,
                access="reads",
                count=count,
            )
        )

    def unassigned(self, geometry: Geometry, line: int, name: str, position: int, count: int) -> None:
        """The lane uses the variable `name`, which it never gave a value."""
        block, thread = geometry.site(int(geometry.lane[position]))
        who = self.who(block, thread)
        message = f"{who[0].upper()}{who[1:]} uses {name}, which it never gave a value."
        self.add(Finding("uninitialised read", message, line, block, thread, name, access="reads", count=count))

    def shuffle_from_idle(self, geometry: Geometry, line: int, position: int, source: int) -> None:
        """The lane at `position` of the batch takes a value from lane `source` of its warp, which is not there."""
        block, thread = geometry.site(int(geometry.lane[position]))
        who = self.who(block, thread)
        message = f"{who[0].upper()}{who[1:]} takes a value from lane {source}, which takes no part."
        self.add(
            Finding("uninitialised read", message, line, block, thread, access="takes a value", call="the shuffle")
        )

    def divergence(self, geometry: Geometry, line: int, missing: int, arrived: int, what: str) -> None:
        """`missing` and `arrived` are lane numbers in the grid."""
        block, thread = geometry.site(missing)
        here_block, here_thread = geometry.site(arrived)
        here = _number(here_thread, self.block)
        who = self.who(block, thread)
        self.add(
            Finding(
                "barrier divergence",
                f"{who[0].upper()}{who[1:]} does not come to {what}, but thread {here} waits there.",
                line,
                block,
                thread,
                other=Site(line, here_block, here_thread),
                call=what,
            )
        )

    def unnamed(self, geometry: Geometry, line: int, lane: int, what: str) -> None:
        """`lane` (its number in the grid) makes a warp-level call whose mask does not name it."""
        block, thread = geometry.site(lane)
        message = f"The mask of {what} leaves out {self.who(block, thread)}, which takes part."
        self.add(
            Finding("barrier divergence", message, line, block, thread, access="is here, but not in the mask",
                    call=what)
        )

    def disagreement(self, geometry: Geometry, line: int, lane: int, other: int, what: str) -> None:
        """`lane` names `other` in a warp-level call, and that gives another mask (numbers in the grid)."""
        block, thread = geometry.site(lane)
        other_block, other_thread = geometry.site(other)
        one, two = _number(thread, self.block), _number(other_thread, self.block)
        where = "" if self.grid == (1, 1, 1) else f" of block {_number(block, self.grid)}"
        message = f"Threads {one} and {two}{where} come to {what} with different masks."
        site = Site(line, other_block, other_thread)
        self.add(
            Finding("barrier divergence", message, line, block, thread, other=site, access="gives one mask",
                    other_access="gives another", call=what)
        )

    def raised(self, geometry: Geometry, line: int, lane: int, error: str, count: int) -> None:
        block, thread = geometry.site(lane)
        who = self.who(block, thread)
        self.add(Finding("raised", f"{who[0].upper()}{who[1:]} raises {error}.", line, block, thread, count=count))

    def never_ends(self, geometry: Geometry, line: int, lane: int) -> None:
        block, thread = geometry.site(lane)
        who = self.who(block, thread)
        self.add(
            Finding(
                "timed out",
                f"The loop on line {line} never ends: {who} is still in it, and nothing changes any more.",
                line,
                block,
                thread,
            )
        )


def _race_message(who: str, access: str, where: str, other: str, other_access: str) -> str:
    verb = {"reads": "read", "writes": "write", "updates": "update"}[other_access]
    who = who[0].upper() + who[1:]
    if access == other_access == "writes":
        return f"{who} and {other} both write {where}: one value is lost."
    if other_access == "reads":
        return f"{who} {access} {where} while {other} may not have read it yet."
    return f"{who} {access} {where} while {other} may still {verb} it."


def _number(at: Coordinates, size: Coordinates) -> str:
    if size[1] == size[2] == 1:
        return str(at[0])
    return f"({', '.join(map(str, at[: 3 if size[2] > 1 else 2]))})"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
