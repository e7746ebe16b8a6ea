"""The tables of `progress.db`, and how an older file becomes a newer one."""

from __future__ import annotations

import sqlite3

from gpulab.workspace.errors import Corrupt, StoreError

APPLICATION_ID = 0x6770756C
""""gpul": marks the file as ours (SQLite, 'PRAGMA application_id')."""

STEPS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE attempts (
             id TEXT PRIMARY KEY, puzzle TEXT NOT NULL, at REAL NOT NULL, verdict TEXT NOT NULL,
             correct INTEGER, efficient INTEGER, fast INTEGER, line INTEGER,
             seconds REAL NOT NULL, hints INTEGER NOT NULL, source_hash TEXT NOT NULL)""",
        "CREATE INDEX attempts_of_a_puzzle ON attempts (puzzle, at)",
        # In a table of their own: Home reads every attempt and no report.
        "CREATE TABLE reports (attempt TEXT PRIMARY KEY, json BLOB NOT NULL)",
        """CREATE TABLE hints (
             puzzle TEXT NOT NULL, number INTEGER NOT NULL, at REAL NOT NULL, PRIMARY KEY (puzzle, number))""",
        "CREATE TABLE visits (id TEXT PRIMARY KEY, puzzle TEXT NOT NULL, began REAL NOT NULL, ended REAL NOT NULL)",
        "CREATE INDEX visits_by_end ON visits (ended)",
    ),
)
"""STEPS[n] turns a file of version n into one of version n + 1. Steps are only ever added."""


def version_of(connection: sqlite3.Connection) -> int:
    """The file's version; 0 for an empty one. Raises `Corrupt` for another program's file."""
    ours = connection.execute("PRAGMA application_id").fetchone()[0]
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    empty = version == 0 and connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
    if ours != APPLICATION_ID and not empty:
        raise Corrupt("it is a database of another program")
    return version


def is_current(connection: sqlite3.Connection) -> bool:
    """Whether the file can be used as it is. Raises `StoreError` if a newer gpulab wrote it."""
    version = version_of(connection)
    if version > len(STEPS):
        raise StoreError(
            f"progress.db was written by a newer gpulab (format {version}, this one knows {len(STEPS)}), so nothing "
            "is recorded and no progress is shown. Nothing is lost: update gpulab."
        )
    return version == len(STEPS)


def upgrade(connection: sqlite3.Connection) -> None:
    """Bring the file to the newest version, inside the caller's transaction."""
    if is_current(connection):
        return
    for step in STEPS[version_of(connection):]:
        for statement in step:
            connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {len(STEPS)}")


def empty_database() -> sqlite3.Connection:
    """A database in memory, usable from any thread (its owner locks)."""
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    upgrade(connection)
    return connection
