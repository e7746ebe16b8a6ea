"""`progress.db`: opened for each reading and each change, so that nothing is held that a crash could hurt.

SQLite's rollback journal makes every change whole or absent, whenever the process is killed. Write-ahead logging is
not used: it needs memory shared between processes, which network volumes do not have (sqlite.org, 'WAL').
Where the volume has no file locks, SQLite's are switched off (`nolock=1`) and a `LockFile` stands in.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from gpulab.workspace.errors import Corrupt, LocksFail, StoreError
from gpulab.workspace.lockfile import LockFile
from gpulab.workspace.rows import Rows, merge, rescue
from gpulab.workspace.schema import empty_database, is_current, upgrade, version_of
from gpulab.workspace.volume import free_bytes

T = TypeVar("T")

BUSY_SECONDS = 5.0
"""How long to wait for another gpulab's change; one takes milliseconds."""

# POSIX drops all of a process's locks on a file when any descriptor of it is closed (fcntl(2)), so within one
# process the probe for locks and the connections take turns.
_TURN = threading.RLock()


class Database:
    """One database file. `notices` are sentences about what had to be done to it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.notices: list[str] = []
        self._locks: bool | None = None

    @property
    def locks(self) -> bool:
        """Whether file locks work here; True until there is a file to try."""
        if self._locks is None and self.path.exists():
            with _TURN:
                self._locks = file_locks_work(self.path)
        return self._locks is not False

    def read(self, query: Callable[[sqlite3.Connection], T]) -> T:
        """What `query` returns; over empty tables where there is no file yet. Raises `StoreError`."""
        return self._mended(lambda: self._read(query))

    def write(self, change: Callable[[sqlite3.Connection], T]) -> T:
        """Run `change` in a transaction of its own, making the file if need be. Raises `StoreError`."""
        return self._mended(lambda: self._write(change))

    def _mended(self, use: Callable[[], T]) -> T:
        """Try again without file locks, or with a fresh file, where that is the cure."""
        for _ in range(3):
            try:
                with _TURN, _explained(self.path):
                    return use()
            except LocksFail:
                # Only where locks really fail: one gpulab with them and one without would not see each other.
                if self._locks is False or file_locks_work(self.path):
                    raise
                self._locks = False
            except Corrupt:
                with _TURN, _explained(self.path):
                    self._set_aside()
        raise StoreError(f"{self.path} cannot be read, so progress is not being recorded. Move the file away.")

    def _read(self, query: Callable[[sqlite3.Connection], T]) -> T:
        if not self.path.exists():
            with closing(empty_database()) as connection:
                return query(connection)
        with self._guard(), closing(self._connect("rw")) as connection:
            if is_current(connection):
                return query(connection)
            with closing(_upgraded_copy(connection)) as copy:
                return query(copy)

    def _write(self, change: Callable[[sqlite3.Connection], T]) -> T:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if not self.path.exists():
            # A file of no bytes is an empty database; made first, so that locks can be tried on it.
            os.close(os.open(self.path, os.O_CREAT | os.O_WRONLY, 0o644))
        with self._guard(), closing(self._connect("rw")) as connection:
            connection.execute("BEGIN IMMEDIATE")
            with contextlib.ExitStack() as undo:
                undo.callback(_roll_back, connection)
                upgrade(connection)
                result = change(connection)
                connection.execute("COMMIT")
                undo.pop_all()
            return result

    @contextmanager
    def _guard(self) -> Iterator[None]:
        """The lock file, where file locks do not work and the folder can be written."""
        if self.locks or not os.access(self.path.parent, os.W_OK):
            yield
            return
        with LockFile(self._lock_path):
            yield

    @property
    def _lock_path(self) -> Path:
        return self.path.with_name(self.path.name + ".lock")

    def _connect(self, mode: str) -> sqlite3.Connection:
        # Only these three mean something in a file: address (sqlite.org, 'URI Filenames').
        path = str(self.path).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
        address = f"file:{path}?mode={mode}" + ("" if self.locks else "&nolock=1")
        return sqlite3.connect(address, uri=True, timeout=BUSY_SECONDS, isolation_level=None)

    def _set_aside(self) -> None:
        """Rename the damaged file and go on with what can be read of it."""
        with LockFile(self._lock_path):
            if not self.path.exists() or self._is_sound():
                return  # another gpulab has done it
            aside = _free_name(self.path, datetime.now())
            rows = self._rescued()
            # The journal goes first: left behind, it would be played back into the new file.
            journal = self.path.with_name(self.path.name + "-journal")
            if journal.exists():
                journal.rename(aside.with_name(aside.name + "-journal"))
            self.path.rename(aside)
        self._write(lambda connection: merge(connection, rows))
        kept = f"{len(rows.attempts)} checks could be read from it and are kept" if rows else "nothing could be read"
        self.notices.append(f"progress.db was damaged. It is set aside as {aside}; {kept}.")

    def _is_sound(self) -> bool:
        try:
            with closing(self._connect("rw")) as connection:
                version_of(connection)
                return bool(connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok")
        except Corrupt:
            return False
        except sqlite3.DatabaseError as error:
            if isinstance(_explanation(self.path, error), Corrupt):
                return False
            raise  # busy or unreadable is not damaged

    def _rescued(self) -> Rows:
        try:
            with closing(self._connect("rw")) as connection:
                return rescue(connection)
        except sqlite3.Error:
            return Rows()


def file_locks_work(path: Path) -> bool:
    """Whether `fcntl` can lock `path`, tried on a byte that SQLite does not use.

    "Held by another" is an answer of a working lock; ENOLCK, ENOSYS and EOPNOTSUPP are not.
    """
    try:
        handle = os.open(path, os.O_RDONLY)
    except OSError:
        return True  # unreadable: SQLite will say why
    try:
        fcntl.lockf(handle, fcntl.LOCK_SH | fcntl.LOCK_NB, 1, 2**31)
    except (BlockingIOError, PermissionError):
        return True
    except OSError:
        return False
    finally:
        os.close(handle)
    return True


def _roll_back(connection: sqlite3.Connection) -> None:
    with contextlib.suppress(sqlite3.Error):  # a full disk has rolled back already
        connection.execute("ROLLBACK")


def _upgraded_copy(connection: sqlite3.Connection) -> sqlite3.Connection:
    """An older file as the newest version, in memory: reading changes nothing on disk."""
    copy = sqlite3.connect(":memory:", isolation_level=None)
    connection.backup(copy)
    upgrade(copy)
    return copy


def _free_name(path: Path, now: datetime) -> Path:
    base = path.with_name(f"{path.name}.corrupt-{now:%Y%m%d-%H%M%S}")
    names = [base, *(base.with_name(f"{base.name}-{n}") for n in range(2, 100))]
    return next(name for name in names if not name.exists())


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Turn what SQLite and the system say into a sentence about what it means here."""
    try:
        yield
    except TimeoutError as error:
        raise StoreError(_BUSY) from error
    except sqlite3.DatabaseError as error:
        raise _explanation(path, error) from error
    except OSError as error:
        raise StoreError(f"{path.parent} cannot be written ({error.strerror}), so {_UNRECORDED}") from error


_UNRECORDED = "progress is not being recorded. Checks go on as before. "
_BUSY = "Another program keeps progress.db busy, so " + _UNRECORDED + "It is tried again at the next check."


def _explanation(path: Path, error: sqlite3.DatabaseError) -> StoreError:
    # By text: error codes reach Python only from 3.11 on.
    text = str(error)
    if "not a database" in text or "malformed" in text:
        return Corrupt(f"{path} is damaged")
    if "locking protocol" in text or ("disk I/O error" in text and not _full(path)):
        return LocksFail(f"{path} cannot be used ({text}), so {_UNRECORDED}Is the volume still there?")
    if "locked" in text:
        return StoreError(_BUSY)
    if "full" in text or "disk I/O error" in text:
        return StoreError(f"The disk of {path.parent} is full, so {_UNRECORDED}Free some space: what is missing is "
                          "then recorded, as long as gpulab runs.")
    if "readonly" in text or "unable to open" in text:
        return StoreError(f"{path.parent} cannot be written, so {_UNRECORDED}"
                          "To record, choose another folder: gpulab --home DIR")
    return StoreError(f"{path}: {text}, so {_UNRECORDED}")


def _full(path: Path) -> bool:
    free = free_bytes(path.parent)
    return free is not None and free < 64 * 1024
