"""Rows of the database, and the one way they get in: a merge that can be repeated and never loses.

Recording, importing, saving later what could not be saved now, and rescuing a damaged file are all the same merge.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple


class AttemptRow(NamedTuple):
    """One check. Stars are 1, 0 or None; `at` is seconds since 1970; `report` is JSON, zlib-compressed."""

    id: str
    puzzle: str
    at: float
    verdict: str
    correct: int | None
    efficient: int | None
    fast: int | None
    line: int | None
    seconds: float
    hints: int
    source_hash: str
    report: bytes | None = None


class HintRow(NamedTuple):
    """Hint `number` (from 1) of a puzzle, first read `at`."""

    puzzle: str
    number: int
    at: float


class VisitRow(NamedTuple):
    """A stretch of time at one puzzle."""

    id: str
    puzzle: str
    began: float
    ended: float


@dataclass
class Rows:
    """Any number of rows of each table."""

    attempts: list[AttemptRow] = field(default_factory=list)
    hints: list[HintRow] = field(default_factory=list)
    visits: list[VisitRow] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.attempts or self.hints or self.visits)

    def add(self, other: Rows) -> None:
        self.attempts += other.attempts
        self.hints += other.hints
        self.visits += other.visits


ATTEMPT_COLUMNS = "id, puzzle, at, verdict, correct, efficient, fast, line, seconds, hints, source_hash"

_ATTEMPTS = f"SELECT {ATTEMPT_COLUMNS}, (SELECT json FROM reports WHERE attempt = id) FROM attempts"


def merge(connection: sqlite3.Connection, rows: Rows) -> None:
    """Add what is not there yet; a hint keeps its earliest time, a visit its longest stretch."""
    connection.executemany(
        f"INSERT OR IGNORE INTO attempts ({ATTEMPT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [row[:-1] for row in rows.attempts],
    )
    connection.executemany(
        "INSERT OR IGNORE INTO reports (attempt, json) VALUES (?, ?)",
        [(row.id, row.report) for row in rows.attempts if row.report is not None],
    )
    connection.executemany(
        "INSERT INTO hints (puzzle, number, at) VALUES (?, ?, ?) "
        "ON CONFLICT (puzzle, number) DO UPDATE SET at = min(at, excluded.at)",
        rows.hints,
    )
    connection.executemany(
        "INSERT INTO visits (id, puzzle, began, ended) VALUES (?, ?, ?, ?) "
        "ON CONFLICT (id) DO UPDATE SET began = min(began, excluded.began), ended = max(ended, excluded.ended)",
        rows.visits,
    )


def read_all(connection: sqlite3.Connection) -> Rows:
    """Every row. Raises sqlite3.DatabaseError for a damaged file."""
    return Rows(
        [AttemptRow(*row) for row in connection.execute(_ATTEMPTS + " ORDER BY at")],
        [HintRow(*row) for row in connection.execute("SELECT puzzle, number, at FROM hints ORDER BY at")],
        [VisitRow(*row) for row in connection.execute("SELECT id, puzzle, began, ended FROM visits ORDER BY began")],
    )


def rescue(connection: sqlite3.Connection) -> Rows:
    """The rows of a damaged file that can still be read, each table as far as it goes."""
    rows = Rows()
    for row in _readable(connection, f"SELECT {ATTEMPT_COLUMNS} FROM attempts NOT INDEXED", "ssfs"):
        rows.attempts.append(AttemptRow(*(*row, _report(connection, row[0]))))
    rows.hints += [HintRow(*row)
                   for row in _readable(connection, "SELECT puzzle, number, at FROM hints NOT INDEXED", "sif")]
    rows.visits += [VisitRow(*row)
                    for row in _readable(connection, "SELECT id, puzzle, began, ended FROM visits NOT INDEXED", "ssff")]
    return rows


def _readable(connection: sqlite3.Connection, query: str, types: str) -> Iterator[Any]:
    """Rows until the first that cannot be read; those whose first columns are not of these types are left out."""
    wanted = [{"s": str, "i": int, "f": float}[letter] for letter in types]
    try:
        for row in connection.execute(query):
            if all(isinstance(value, kind) for value, kind in zip(row, wanted, strict=False)):
                yield row
    except sqlite3.Error:
        return


def _report(connection: sqlite3.Connection, attempt: str) -> bytes | None:
    try:
        row = connection.execute("SELECT json FROM reports WHERE attempt = ?", (attempt,)).fetchone()
    except sqlite3.Error:
        return None
    return row[0] if row and isinstance(row[0], bytes) else None
