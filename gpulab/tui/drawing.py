"""A drawing in a thread: one at a time, its progress told by messages. It is for Memory what `checking` is for Result.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any, Protocol

from textual.screen import Screen

from gpulab.catalog.model import Puzzle
from gpulab.check import Cancelled, Progress
from gpulab.tui.checking import Running
from gpulab.tui.messages import DrawCancelled, DrawEnded, DrawMoved, DrawStarted

if TYPE_CHECKING:
    from gpulab.judge.drawing import Drawing

GROUP = "draw"


class Draw(Protocol):
    """`gpulab.check.draw`, or what stands in for it in a test."""

    def __call__(
        self, puzzle: Puzzle, file: Path, *, seed: int | None = None,
        on_progress: Callable[[Progress], None] | None = None, cancel: Event | None = None,
    ) -> Drawing: ...


class Drawings:
    """The drawings of one screen. `start` cancels the one before; only the newest may report."""

    def __init__(self, screen: Screen[Any], draw: Draw) -> None:
        self._screen, self._draw = screen, draw
        self._count = 0
        self.running: Running | None = None

    def start(self, puzzle: Puzzle, file: Path, seed: int | None) -> None:
        """Draw `file` in a thread of its own."""
        self.cancel()
        self._count += 1
        running = self.running = Running(self._count)
        self._screen.post_message(DrawStarted(running.number))
        self._screen.run_worker(lambda: self._work(puzzle, file, seed, running), thread=True, group=GROUP,
                                exclusive=True, exit_on_error=True)

    def cancel(self) -> bool:
        """Give up the drawing that is going on, if any; whether there was one."""
        if self.running is None:
            return False
        self.running.cancel.set()
        self.running = None
        return True

    def moved(self, message: DrawMoved) -> None:
        """Take over the stage of the drawing that is going on."""
        if self.running is not None and self.running.number == message.number:
            self.running.progress = message.progress

    def ended(self, number: int) -> bool:
        """Note the end of a drawing; False for one that was given up."""
        if self.running is None or self.running.number != number:
            return False
        self.running = None
        return True

    def _work(self, puzzle: Puzzle, file: Path, seed: int | None, running: Running) -> None:
        """In the thread: it posts messages and touches no widget."""
        post, number = self._screen.post_message, running.number

        def moved(progress: Progress) -> None:
            post(DrawMoved(number, progress))

        try:
            drawing = self._draw(puzzle, file, seed=seed, on_progress=moved, cancel=running.cancel)
        except Cancelled:
            post(DrawCancelled(number))
            return
        post(DrawCancelled(number) if running.cancel.is_set() else DrawEnded(number, drawing))
