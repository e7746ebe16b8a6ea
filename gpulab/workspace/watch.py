"""Noticing saves, by any editor and on any volume.

Editors save in three ways: they write into the file, they truncate it first, or they rename a new file over it.
So the folder is watched (a rename brings another inode), and what counts is content. Network volumes report nothing
that another machine wrote, so the file is also read every second: a few kilobytes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from threading import Event

POLL_SECONDS = 1.0
SETTLE_SECONDS = 0.02
"""A file that reads the same after this long is no longer being written."""
EMPTY_SECONDS = 1.0
"""An editor that truncates first leaves the file empty for a moment; longer, and it is meant to be empty."""
GONE_SECONDS = 1.0
"""An editor that renames leaves no file for a moment; longer, and it was deleted."""


@dataclass(frozen=True)
class Save:
    """New content of the watched file, and when it was seen (local time)."""

    source: bytes
    when: datetime


def watch(file: Path, on_save: Callable[[Save], None], stop: Event, *, since: bytes | None = None,
          poll_seconds: float = POLL_SECONDS, on_gone: Callable[[], None] | None = None) -> None:
    """Call `on_save` for every change of content until `stop` is set. Blocks: give it a thread of its own.

    `since` is the content the caller has seen, by default what is there now. The file need not exist yet; that it
    goes is no change, but told to `on_gone` once it has been away for a second, and then its return is a save,
    whatever it holds. While `on_save` runs saves gather, and the newest of them is reported next. Returns within
    `poll_seconds` of `stop`.
    """
    known = _read(file) if since is None else since
    seen, gone = time.monotonic(), False
    for _ in _occasions(file, stop, poll_seconds):
        content = _settled(file, known, stop)
        if stop.is_set():
            return
        if content is None:
            if on_gone is not None and known is not None and not gone and time.monotonic() - seen >= GONE_SECONDS:
                gone = True
                on_gone()
            continue
        seen = time.monotonic()
        if content != known or gone:
            known, gone = content, False
            on_save(Save(content, datetime.now().astimezone()))


def _occasions(file: Path, stop: Event, poll_seconds: float) -> Iterator[None]:
    """Whenever the file may have changed: at once on word from the kernel, and at every poll."""
    yield
    while not stop.is_set():
        if file.parent.is_dir():
            yield from _notified(file, stop, poll_seconds)
        if not stop.wait(poll_seconds):
            yield


def _notified(file: Path, stop: Event, poll_seconds: float) -> Iterator[None]:
    """Until `stop`, or until the kernel refuses (no inotify, too many watches) or the folder goes."""
    from watchfiles import watch as watch_folder

    try:
        for changes in watch_folder(
            file.parent, watch_filter=lambda change, path: Path(path).name == file.name, recursive=False, debounce=100,
            step=20, stop_event=stop, rust_timeout=int(poll_seconds * 1000), yield_on_timeout=True,
        ):
            yield
            if not changes and not file.parent.is_dir():
                return
    except (OSError, RuntimeError):
        return


def _settled(file: Path, known: bytes | None, stop: Event) -> bytes | None:
    """The content once it stays the same; None if there is no file."""
    content = _read(file)
    empty_since = time.monotonic()
    while content is not None and content != known and not stop.wait(SETTLE_SECONDS):
        again = _read(file)
        if again:
            empty_since = time.monotonic()
        if again == content and (again or time.monotonic() - empty_since >= EMPTY_SECONDS):
            break
        content = again
    return content


def _read(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except OSError:
        return None
