"""A check in a thread: one at a time, cancelled for a newer save, its progress told by messages."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any, Protocol

from textual.screen import Screen

from gpulab.catalog.model import Puzzle
from gpulab.check import Cancelled, Progress
from gpulab.tui.messages import CheckCancelled, CheckEnded, CheckMoved, CheckStarted, ReferenceChecked
from gpulab.views import figures

if TYPE_CHECKING:
    from gpulab.judge.report import Report

GROUP = "check"


class Check(Protocol):
    """`gpulab.check.check`, or what stands in for it in a test."""

    def __call__(
        self, puzzle: Puzzle, file: Path, *, on_progress: Callable[[Progress], None] | None = None,
        cancel: Event | None = None,
    ) -> Report: ...


@dataclass
class Running:
    """The check that is going on."""

    number: int
    cancel: Event = field(default_factory=Event)
    progress: Progress = field(default_factory=lambda: Progress("starting"))
    since: float = field(default_factory=time.monotonic)

    def status(self) -> str:
        """`starting the simulator 0.4 s`, `case 3 of 7  1.2 s`."""
        return f"{stage_words(self.progress)}  {figures.seconds(time.monotonic() - self.since)}"


def stage_words(progress: Progress) -> str:
    """What the check is doing, as the status says it."""
    return "starting the simulator" if progress.stage == "starting" else progress.words


class Checks:
    """The checks of one screen. `start` cancels the one before; only the newest may report."""

    def __init__(self, screen: Screen[Any], check: Check, record: Callable[[Report], object]) -> None:
        self._screen, self._check, self._record = screen, check, record
        self._count = 0
        self._reference_cancel = Event()
        self.running: Running | None = None

    def start(self, puzzle: Puzzle, file: Path, check: Check | None = None) -> None:
        """Check `file` in a thread of its own; by `check`, where something else is asked of it than a check."""
        self.cancel()
        self._count += 1
        running = self.running = Running(self._count)
        self._screen.post_message(CheckStarted(running.number))
        self._screen.run_worker(lambda: self._work(check or self._check, puzzle, file, running), thread=True,
                                group=GROUP, exclusive=True, exit_on_error=True)

    def cancel(self) -> bool:
        """Give up the check that is going on, if any; whether there was one."""
        self._reference_cancel.set()
        if self.running is None:
            return False
        self.running.cancel.set()
        self.running = None
        return True

    def reference(self, puzzle: Puzzle) -> None:
        """Check the reference too, quietly, for its figures; the next check of the learner's file ends that."""
        cancel = self._reference_cancel = Event()

        def work() -> None:
            try:
                report = self._check(puzzle, puzzle.reference, cancel=cancel)
            except Cancelled:
                return
            self._screen.post_message(ReferenceChecked(puzzle.id, report))

        self._screen.run_worker(work, thread=True, group="reference", exclusive=True)

    def is_current(self, number: int) -> bool:
        """Whether a message is of the check that is going on."""
        return self.running is not None and self.running.number == number

    def moved(self, message: CheckMoved) -> None:
        """Take over the stage of the check that is going on."""
        if self.running is not None and self.is_current(message.number):
            self.running.progress = message.progress

    def ended(self, number: int) -> bool:
        """Note the end of a check; False for one that was given up."""
        if not self.is_current(number):
            return False
        self.running = None
        return True

    def _work(self, check: Check, puzzle: Puzzle, file: Path, running: Running) -> None:
        """In the thread: it posts messages and touches no widget."""
        post, number = self._screen.post_message, running.number

        def moved(progress: Progress) -> None:
            post(CheckMoved(number, progress))

        try:
            report = check(puzzle, file, on_progress=moved, cancel=running.cancel)
        except Cancelled:
            post(CheckCancelled(number))
            return
        if running.cancel.is_set():
            post(CheckCancelled(number))
            return
        self._record(report)
        post(CheckEnded(number, report))
