"""What the learner has done: attempts, stars, hints, time."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, TypeVar

from gpulab.judge.stars import Stars
from gpulab.workspace import reports
from gpulab.workspace.database import Database
from gpulab.workspace.errors import StoreError, WorkspaceError
from gpulab.workspace.records import Attempt, Next, Spent, Standing, Timed
from gpulab.workspace.rows import ATTEMPT_COLUMNS, AttemptRow, HintRow, Rows, VisitRow, merge, read_all
from gpulab.workspace.schema import empty_database
from gpulab.workspace.standings import attempt_of, every_standing, local_time, together
from gpulab.workspace.suggestion import suggest

if TYPE_CHECKING:
    from gpulab.catalog.model import Catalog, Puzzle
    from gpulab.judge.report import Report

T = TypeVar("T")

SAME_VISIT = 600.0
"""Seconds without a touch after which the learner has been away: that time is not counted."""


class Progress:
    """The progress in one database. Never raises because of the disk; see `problems`.

    While the disk refuses, changes gather in memory; the first change that it takes again takes them along.
    """

    def __init__(self, database: Database, aliases: Mapping[str, str] | None = None) -> None:
        self._database = database
        self._aliases = dict(aliases or {})
        self._turn = threading.RLock()
        self._unsaved = Rows()
        self._memory: sqlite3.Connection | None = None
        self._problem: str | None = None

    @property
    def problems(self) -> list[str]:
        """Plain sentences: what keeps progress from being recorded, and what was done to a damaged file."""
        return [*self._database.notices, *([self._problem] if self._problem else [])]

    @property
    def recording(self) -> bool:
        """False while the last change could not be written."""
        return not self._unsaved

    # What happened

    def record(self, report: Report) -> Attempt:
        """Keep a check. One with the verdict `environment` says nothing about the learner and is not kept."""
        ids = self._ids(report.puzzle)
        row = _row_of(report, hints=self._read(lambda connection: _hints(connection, ids)))
        if report.verdict != "environment":
            self._add(Rows(attempts=[row], visits=[self._visit(report.puzzle)]))
        return attempt_of(row)

    def touch(self, puzzle: Puzzle | str) -> None:
        """The learner is at this puzzle now."""
        self._add(Rows(visits=[self._visit(_id(puzzle))]))

    def read_hint(self, puzzle: Puzzle | str, *, of: int | None = None) -> int:
        """One more hint is read; how many that makes, at most `of`."""
        number = self.hints_read(puzzle) + 1
        if of is not None and number > of:
            return of
        self._add(Rows(hints=[HintRow(_id(puzzle), number, time.time())], visits=[self._visit(_id(puzzle))]))
        return number

    def add(self, rows: Rows) -> int:
        """Merge rows from elsewhere (an import); how many attempts were new."""
        known = self._read(lambda connection: {row[0] for row in connection.execute("SELECT id FROM attempts")})
        if rows:
            self._add(rows)
        return len({row.id for row in rows.attempts} - known)

    # Where the learner stands

    def stars(self, puzzle: Puzzle | str) -> Stars:
        """The best of all attempts, star by star."""
        return self.standing(puzzle).stars

    def solved(self, puzzle: Puzzle | str) -> bool:
        """Whether any attempt passed."""
        return self.standing(puzzle).solved

    def standing(self, puzzle: Puzzle | str) -> Standing:
        """Everything about one puzzle, under any id it had."""
        ids = self._ids(puzzle)
        return together([standing for id, standing in self._standings().items() if id in ids])

    def standings(self) -> dict[str, Standing]:
        """Everything about every puzzle that was ever touched, ids this gpulab does not know included."""
        groups: dict[str, list[Standing]] = {}
        for id, standing in self._standings().items():
            groups.setdefault(self._aliases.get(id, id), []).append(standing)
        return {id: together(standings) for id, standings in groups.items()}

    def last(self, puzzle: Puzzle | str) -> Report | None:
        """The newest attempt's report; None if there is none, or none that this version can read."""
        where, ids = _in(self._ids(puzzle))
        query = f"SELECT json FROM attempts JOIN reports ON attempt = id {where} ORDER BY at DESC LIMIT 1"
        row = self._read(lambda connection: connection.execute(query, ids).fetchone())
        json = reports.unpacked(row[0]) if row else None
        return reports.from_json(json) if json else None

    def attempts(self, puzzle: Puzzle | str) -> list[Attempt]:
        """Every recorded check of a puzzle, oldest first."""
        where, ids = _in(self._ids(puzzle))
        return self._attempts(f"{where} ORDER BY at", ids)

    def lately(self, limit: int = 10) -> list[Attempt]:
        """The newest attempts at any puzzle, newest first."""
        return self._attempts("ORDER BY at DESC LIMIT ?", (limit,))

    def timings(self, puzzle: Puzzle | str, most: int = 60) -> list[Timed]:
        """The newest checks of a puzzle and what they timed, oldest first."""
        where, ids = _in(self._ids(puzzle))
        return self._timed(f"{where} ORDER BY at DESC LIMIT ?", (*ids, most))

    def timed_puzzles(self, most: int = 200) -> dict[str, Timed]:
        """By puzzle: the newest of the newest checks that were timed and held against the card."""
        found = self._timed("WHERE fast IS NOT NULL ORDER BY at DESC LIMIT ?", (most,))
        return {self._aliases.get(one.puzzle, one.puzzle): one for one in found if one.timing is not None}

    def hints_read(self, puzzle: Puzzle | str) -> int:
        """How many hints were read, in order from the first."""
        ids = self._ids(puzzle)
        return self._read(lambda connection: _hints(connection, ids))

    def spent(self, today: date) -> Spent:
        """Time at all puzzles together, and the days in a row up to `today`; a day without any yet is no break."""
        visits = self._read(lambda connection: connection.execute("SELECT began, ended FROM visits").fetchall())
        days = {local_time(at).date() for visit in visits for at in visit}
        day, streak = today if today in days else today - timedelta(days=1), 0
        while day in days:
            day, streak = day - timedelta(days=1), streak + 1
        return Spent(sum(ended - began for began, ended in visits), streak)

    def last_touched(self) -> str | None:
        """The id of the puzzle the learner was at last."""
        visit = self._read(_newest_visit)
        return self._aliases.get(visit.puzzle, visit.puzzle) if visit else None

    def next_puzzle(self, catalog: Catalog, standings: Mapping[str, Standing] | None = None) -> Next:
        """The puzzle to go on with, and why; `standings` where they were just read."""
        return suggest(catalog, self.standings() if standings is None else standings, self.last_touched())

    def everything(self) -> Rows:
        """All rows, reports included (an export). Raises `WorkspaceError` rather than leave any out."""
        with self._turn:
            if self._memory is not None:
                return read_all(self._memory)
            try:
                return self._database.read(read_all)
            except StoreError as error:
                raise WorkspaceError(str(error)) from error

    # How it is kept

    def _ids(self, puzzle: Puzzle | str) -> tuple[str, ...]:
        """The ids under which a puzzle's rows may stand."""
        earlier = () if isinstance(puzzle, str) else puzzle.aliases
        id = self._aliases.get(_id(puzzle), _id(puzzle))
        return tuple(dict.fromkeys((id, *earlier, *(old for old, new in self._aliases.items() if new == id))))

    def _visit(self, puzzle: str) -> VisitRow:
        """The visit that is going on, longer by the time since; or a new one."""
        now, newest = time.time(), self._read(_newest_visit)
        if newest and newest.puzzle == puzzle and abs(now - newest.ended) < SAME_VISIT:
            return VisitRow(newest.id, puzzle, newest.began, max(now, newest.ended))
        return VisitRow(_new_id(), puzzle, now, now)

    def _attempts(self, rest: str, parameters: tuple[str | int, ...]) -> list[Attempt]:
        query = f"SELECT {ATTEMPT_COLUMNS} FROM attempts {rest}"
        rows = self._read(lambda connection: connection.execute(query, parameters).fetchall())
        return [attempt_of(AttemptRow(*row)) for row in rows]

    def _timed(self, rest: str, parameters: tuple[str | int, ...]) -> list[Timed]:
        query = f"SELECT puzzle, at, verdict, json FROM attempts LEFT JOIN reports ON attempt = id {rest}"
        rows = self._read(lambda connection: connection.execute(query, parameters).fetchall())
        return [Timed(puzzle, local_time(at), verdict, reports.timing_in(json) if json else None)
                for puzzle, at, verdict, json in reversed(rows)]

    def _standings(self) -> dict[str, Standing]:
        return self._read(every_standing)

    def _read(self, query: Callable[[sqlite3.Connection], T]) -> T:
        with self._turn:
            if self._memory is not None:
                return query(self._memory)
            try:
                return self._database.read(query)
            except StoreError as error:
                self._problem = str(error)
                return query(empty_database())

    def _add(self, rows: Rows) -> None:
        with self._turn:
            self._unsaved.add(rows)
            try:
                self._database.write(lambda connection: merge(connection, self._unsaved))
            except StoreError as error:
                self._problem = str(error)
                self._remember(rows)
            else:
                self._unsaved, self._memory, self._problem = Rows(), None, None

    def _remember(self, rows: Rows) -> None:
        """Go on in memory, from what the disk holds if that can be read."""
        if self._memory is None:
            self._memory = empty_database()
            with contextlib.suppress(StoreError):  # `_problem` says already that the disk does not answer
                merge(self._memory, self._database.read(read_all))
        merge(self._memory, rows)


def _id(puzzle: Puzzle | str) -> str:
    return puzzle if isinstance(puzzle, str) else puzzle.id


def _in(ids: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    return f"WHERE puzzle IN ({', '.join('?' * len(ids))})", ids


def _hints(connection: sqlite3.Connection, ids: tuple[str, ...]) -> int:
    where, parameters = _in(ids)
    return int(connection.execute(f"SELECT coalesce(max(number), 0) FROM hints {where}", parameters).fetchone()[0])


def _newest_visit(connection: sqlite3.Connection) -> VisitRow | None:
    row = connection.execute("SELECT id, puzzle, began, ended FROM visits ORDER BY ended DESC LIMIT 1").fetchone()
    return VisitRow(*row) if row else None


def _row_of(report: Report, hints: int) -> AttemptRow:
    stars = report.stars
    return AttemptRow(
        _new_id(), report.puzzle, _moment(report.when), report.verdict, _bit(stars.correct),
        _bit(stars.efficient), _bit(stars.fast), report.diagnosis.line if report.diagnosis else None,
        report.seconds.get("total", 0.0), hints, _hash(report.source),
        reports.packed(report),
    )


def _new_id() -> str:
    """Unique anywhere: 128 random bits. (`uuid` would be 7 ms of every start.)"""
    return os.urandom(16).hex()


def _hash(source: str) -> str:
    import hashlib

    return hashlib.sha256(source.encode("utf-8", "replace")).hexdigest()


def _moment(when: str) -> float:
    """Seconds since 1970 of an ISO 8601 time; now, if it is missing."""
    try:
        return datetime.fromisoformat(when).timestamp()
    except ValueError:
        return time.time()


def _bit(star: bool | None) -> int | None:
    return None if star is None else int(star)
