"""The workspace's folder, tried out: a database, and a save that must be noticed."""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread

from gpulab.workspace.database import Database, file_locks_work
from gpulab.workspace.errors import StoreError, WorkspaceError
from gpulab.workspace.place import choose
from gpulab.workspace.records import Volume
from gpulab.workspace.volume import nearest_existing, volume_of
from gpulab.workspace.watch import POLL_SECONDS, watch
from gpulab.workspace.workspace import command_to_keep

NEVER = 60.0
"""A poll so rare that only the kernel's own word can tell of a save."""
PATIENCE = 1.5
"""Seconds to wait for that word; where it comes, it comes within 0.2."""
REGISTERS = 0.2
"""Seconds until a watch that has begun is known to the kernel; a hundred times what it takes."""


@dataclass(frozen=True)
class Workplace:
    """What the workspace is on, and what could be done there."""

    root: Path | None = None
    """None where no folder could be chosen."""
    refusal: str = ""
    """Why not: a sentence that says what to do."""
    volume: Volume | None = None
    keep: str = ""
    """The command that brings it to a disk that stays, where it is on one that does not."""
    error: str = ""
    """Why nothing could be written there; "" where it could."""
    locks: bool = True
    """Whether file locks work."""
    database: str = ""
    """Why progress cannot be kept there; "" where it can."""
    noticed: float | None = None
    """Seconds until a save was told by the kernel (inotify); None where it tells nothing."""
    polled: float | None = None
    """Seconds until a save was seen by reading the file, where the kernel tells nothing."""


def examine_workplace(home: Path | None) -> Workplace:
    """Try it out in a folder that is removed again: in the workspace, or beside where it will be made."""
    try:
        root = choose(home).root
    except WorkspaceError as refusal:
        return Workplace(refusal=str(refusal))
    volume = volume_of(root, locks=True)
    keep = command_to_keep(root) if volume.lost_when_stopped else ""
    try:
        with tempfile.TemporaryDirectory(prefix=".gpulab-doctor-", dir=nearest_existing(root)) as folder:
            locks, database = _try_database(Path(folder) / "progress.db")
            noticed = seconds_to_notice(Path(folder) / "saved.py", NEVER, PATIENCE)
            polled = None if noticed is not None else seconds_to_notice(
                Path(folder) / "polled.py", POLL_SECONDS, POLL_SECONDS + PATIENCE)
    except OSError as error:
        return Workplace(root, volume=volume, keep=keep, error=error.strerror or str(error))
    return Workplace(root, "", volume, keep, "", locks, database, noticed, polled)


def _try_database(path: Path) -> tuple[bool, str]:
    """(file locks work, why a row could not be kept)."""
    path.touch()
    locks = file_locks_work(path)
    database = Database(path)
    try:
        database.write(lambda connection: connection.execute("CREATE TABLE doctor (here INTEGER)"))
        database.write(lambda connection: connection.execute("INSERT INTO doctor VALUES (1)"))
        rows = database.read(lambda connection: connection.execute("SELECT here FROM doctor").fetchall())
    except StoreError as error:
        return locks, str(error)
    return locks, "" if [tuple(row) for row in rows] == [(1,)] else f"{path} did not keep a row."


def seconds_to_notice(file: Path, poll_seconds: float, patience: float) -> float | None:
    """Save `file` under the app's own watch; how long it took to be told, None if it was not in time."""
    begun, seen, stop = Event(), Event(), Event()
    file.write_text("before = 1\n")
    # The watch reads the file once when it begins: that it is told of this content says that it has begun.
    watcher = Thread(target=watch, args=(file, lambda save: (seen if begun.is_set() else begun).set(), stop),
                     kwargs={"since": b"", "poll_seconds": poll_seconds}, daemon=True)
    watcher.start()
    try:
        if not begun.wait(patience):
            return None
        time.sleep(REGISTERS)
        saved = time.monotonic()
        file.write_text("after = 2\n")
        return time.monotonic() - saved if seen.wait(patience) else None
    finally:
        stop.set()
        watcher.join(0.5)
