"""A lock that needs no file locks: a file that only one process can create.

For volumes where `fcntl` locks fail (some NFS, most FUSE). It is held for the milliseconds of one transaction, so
whoever has held it for seconds is dead.
"""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path
from types import TracebackType

GIVE_UP = 15.0
"""Seconds to wait for the lock; longer than `DEAD`, so that a dead holder is noticed first."""
DEAD = 8.0
"""Seconds after which a lock that did not change belongs to nobody. By our own clock: a server's may differ."""


class LockFile:
    """`with LockFile(path):`; raises TimeoutError if a living process keeps it, OSError if the folder is read-only."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._token = f"{os.uname().nodename} {os.getpid()} {os.urandom(16).hex()}"

    def __enter__(self) -> None:
        started = time.monotonic()
        seen, since = "", started
        while not self._create():
            now = time.monotonic()
            holder = self._holder()
            if holder != seen:
                seen, since = holder, now
            if holder and (_has_died(holder) or now - since > DEAD):
                self._remove_dead(holder)
            elif now - started > GIVE_UP:
                raise TimeoutError(f"{self.path} is held by another process")
            else:
                time.sleep(0.005)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._holder() == self._token:
            self.path.unlink(missing_ok=True)

    def _create(self) -> bool:
        try:
            handle = os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644)
        except FileExistsError:
            return False
        with os.fdopen(handle, "w") as file:
            file.write(self._token)
        return True

    def _holder(self) -> str:
        """The token in the file; "" if it has gone; "?" while its maker has not written it yet."""
        try:
            return self.path.read_text() or "?"
        except FileNotFoundError:
            return ""

    def _remove_dead(self, holder: str) -> None:
        """Remove the lock if `holder` still has it. One remover at a time, or a slow one would remove a new lock."""
        removing = self.path.with_name(self.path.name + ".removing")
        try:
            os.close(os.open(removing, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644))
        except FileExistsError:
            _remove_when_old(removing)
            return
        try:
            if self._holder() == holder:
                self.path.unlink(missing_ok=True)
        finally:
            removing.unlink(missing_ok=True)


def _has_died(holder: str) -> bool:
    """Whether the token names a process of this machine that is no more."""
    host, _, rest = holder.partition(" ")
    if host != os.uname().nodename:
        return False
    try:
        os.kill(int(rest.split()[0]), 0)
    except ProcessLookupError:
        return True
    except (OSError, ValueError, IndexError):
        return False
    return False


def _remove_when_old(path: Path) -> None:
    """A remover that was itself killed leaves this file behind; a minute is ages for two system calls."""
    with contextlib.suppress(OSError):
        if time.time() - path.stat().st_mtime > 60:
            path.unlink()
    time.sleep(0.01)
