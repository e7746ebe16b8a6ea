"""Writing the learner's files: whole or not at all, and never over their work."""

from __future__ import annotations

import contextlib
import os
import time
from datetime import datetime
from pathlib import Path

STALE = 3600.0
"""Seconds after which a temporary file was left by a process that was killed."""


def write_atomically(path: Path, content: bytes) -> None:
    """Replace `path`: whoever reads it, whenever, sees the old content or the new."""
    temporary = _written_aside(path, content)
    try:
        os.replace(temporary, path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def create(path: Path, content: bytes) -> bool:
    """Make `path` with this content; False, and nothing done, where a file is there already.

    An empty file does not count as one: it is what a crash leaves on a volume without hard links.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_file() and path.stat().st_size == 0:
        write_atomically(path, content)
        return True
    temporary = _written_aside(path, content)
    try:
        return _put(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
        _sync_folder(path.parent)


def replace_keeping(path: Path, content: bytes, backups: Path) -> tuple[Path, bool]:
    """Move `path` to a new file in `backups` and put this content in its place.

    Returns the backup, and False where somebody saved `path` again in that moment: that save stays. On a full disk
    OSError is raised with nothing moved, as the new content is written first.
    """
    temporary = _written_aside(path, content)
    try:
        backup = _set_aside(path, backups)
        return backup, _put(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
        _sync_folder(path.parent)


def keep(content: bytes, backups: Path, name: str) -> Path:
    """Write this content to a new file in `backups`, named after `name` and by time, and return that."""
    backup = _new_backup(Path(name), backups)
    write_atomically(backup, content)
    return backup


def _new_backup(path: Path, backups: Path) -> Path:
    backups.mkdir(parents=True, exist_ok=True)
    return _claimed(backups, f"{path.stem}-{datetime.now():%Y%m%d-%H%M%S}", path.suffix)


def _set_aside(path: Path, backups: Path) -> Path:
    """Move `path` to a new file in `backups` and return that."""
    backup = _new_backup(path, backups)
    os.replace(path, backup)
    _sync_folder(backups)
    return backup


def _put(temporary: Path, path: Path) -> bool:
    """Give the finished file its name, if nobody has it. A hard link does that in one step."""
    try:
        os.link(temporary, path)
    except FileExistsError:
        return False
    except OSError:  # no hard links here (FAT, many FUSE volumes): claim the name, then fill it
        try:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644))
        except FileExistsError:
            return False
        os.replace(temporary, path)
    return True


def _claimed(folder: Path, stem: str, suffix: str) -> Path:
    """A new empty file in `folder`; no two processes get the same."""
    number = 1
    while True:
        path = folder / (f"{stem}{suffix}" if number == 1 else f"{stem}-{number}{suffix}")
        try:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644))
        except FileExistsError:
            number += 1
        else:
            return path


def _written_aside(path: Path, content: bytes) -> Path:
    """The content in a temporary file of the same folder, on disk for good."""
    _remove_leftovers(path.parent)
    temporary = path.parent / f".gpulab-{os.urandom(16).hex()}.tmp"
    try:
        with open(temporary, "xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
    return temporary


def _remove_leftovers(folder: Path) -> None:
    for leftover in folder.glob(".gpulab-*.tmp"):
        with contextlib.suppress(OSError):
            if time.time() - leftover.stat().st_mtime > STALE:
                leftover.unlink()


def _sync_folder(folder: Path) -> None:
    """Make a new name last through a power cut; not every volume can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
