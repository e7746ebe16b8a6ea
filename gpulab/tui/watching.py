"""Saves of the learner's file, seen by a thread and told by messages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING

from textual.message import Message

from gpulab.tui.messages import FileGone, FileSaved

if TYPE_CHECKING:
    from gpulab.workspace.watch import Save


class Watching:
    """Watches one file from `start` to `stop`.

    A daemon thread, not a Textual worker: leaving the app must not wait for the second that the watch may take
    to notice that it is over.
    """

    def __init__(self, post: Callable[[Message], object]) -> None:
        self._post = post
        self._stop = Event()

    def start(self, file: Path, since: bytes | None = None) -> None:
        """Watch `file`; what it held when the screen read it is `since`."""
        self.stop()
        stop = self._stop = Event()
        Thread(target=self._watch, args=(file, since, stop), name="gpulab-watch", daemon=True).start()

    def stop(self) -> None:
        """Tell of no further save."""
        self._stop.set()

    def _watch(self, file: Path, since: bytes | None, stop: Event) -> None:
        from gpulab.workspace.watch import watch

        def saved(save: Save) -> None:
            if not stop.is_set():
                self._post(FileSaved(save.when))

        def gone() -> None:
            if not stop.is_set():
                self._post(FileGone())

        watch(file, saved, stop, since=since, on_gone=gone)
