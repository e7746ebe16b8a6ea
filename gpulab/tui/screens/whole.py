"""Every file of a track checked, one after another: each result as it comes, escape at any moment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from textual.timer import Timer

from gpulab.catalog.model import Puzzle
from gpulab.tui import keymap
from gpulab.tui.checking import Check, Checks
from gpulab.tui.messages import CheckEnded, CheckMoved, CheckStarted
from gpulab.tui.screens.framed import Framed
from gpulab.views import figures, whole
from gpulab.views.rows import row
from gpulab.views.whole import DONE, LEFT_OUT, RUNNING, WAITING, Entry
from gpulab.workspace import Workspace

STATUS_SECONDS = 0.5
HEAD = 3
"""Rows of the band."""


class WholeScreen(Framed[None]):
    """Checks what was begun; what was not says so."""

    KEYS = keymap.WHOLE
    BINDINGS = keymap.bindings(keymap.WHOLE)

    def __init__(self, title: str, puzzles: Sequence[Puzzle], workspace: Workspace, check: Check) -> None:
        super().__init__()
        self.heading, self.workspace = title, workspace
        self.entries = [Entry(puzzle) for puzzle in puzzles]
        self.at = 0
        self._follows = True
        """Whether the cursor is where the check is; a key takes it over."""
        self.checks = Checks(self, check, workspace.progress.record)
        self._status: Timer | None = None
        self._current: Entry | None = None

    def on_mount(self) -> None:
        super().on_mount()
        self.action_run()

    def on_unmount(self) -> None:
        self.checks.cancel()

    def draw(self, top: int | None) -> None:
        look, width = self.look, self.size.width
        done = sum(entry.state == DONE for entry in self.entries)
        self.draw_title(row((self.heading, look.strong), ("  every file checked", look.muted)),
                        row((f"{done} of {figures.plural(len(self.entries), 'puzzle')}", look.muted)))
        made = whole.page(self.heading, self.entries, self.at, width, look)
        room = max(1, self.view.size.height - HEAD)
        self.view.show_page(made, max(0, min(self.at - room // 2, len(self.entries) - room)))
        self.draw_keys()

    def now(self) -> Mapping[str, str | None]:
        ahead: dict[str, str | None] = {"cancel": "give up"} if self._current is not None else {"run": "check again"}
        return {**ahead, "open": None, "move": None, "close": None}

    def action_run(self) -> None:
        """Begin with the first."""
        for entry in self.entries:
            why = self._why_not(entry.puzzle)
            entry.state, entry.words, entry.report = (LEFT_OUT if why else WAITING), why, None
        self._next()

    def _why_not(self, puzzle: Puzzle) -> str:
        """Why there is nothing to check; "" where there is."""
        source = self.workspace.source(puzzle)
        if source is None:
            return "not begun"
        return "the starter, unchanged" if source == puzzle.starter.read_text(encoding="utf-8") else ""

    def _next(self) -> None:
        entry = next((entry for entry in self.entries if entry.state == WAITING), None)
        self._current = entry
        if entry is None:
            self._stop()
        else:
            entry.state = RUNNING
            if self._follows:
                self.at = self.entries.index(entry)
            if self._status is None:
                self._status = self.set_interval(STATUS_SECONDS, self._tick)
            self.checks.start(entry.puzzle, self.workspace.file_for(entry.puzzle))
        self.redraw()

    def _stop(self) -> None:
        self._current = None
        if self._status is not None:
            self._status.stop()
            self._status = None

    def _tick(self) -> None:
        """Twice a second: what the check does; a quick one is over before."""
        running = self.checks.running
        if running is not None and self._current is not None:
            self._current.words = running.status()
            self.redraw()

    def on_check_started(self, message: CheckStarted) -> None:
        """The row shows it already."""

    def on_check_moved(self, message: CheckMoved) -> None:
        self.checks.moved(message)

    def on_check_ended(self, message: CheckEnded) -> None:
        if self.checks.ended(message.number) and self._current is not None:
            self._current.state, self._current.report = DONE, message.report
            self._next()

    def action_cancel(self) -> None:
        """Give up what is not done; once nothing runs, back."""
        if self._current is None:
            self.dismiss()
            return
        self.checks.cancel()
        self._current.state, self._current.words = WAITING, ""
        self._stop()
        self.redraw()

    def action_move(self, step: int) -> None:
        """The cursor up or down."""
        self._follows = False
        self.at = max(0, min(self.at + step, len(self.entries) - 1))
        self.redraw()

    def action_open(self) -> None:
        """Open the puzzle under the cursor; what runs here is given up."""
        if self.entries:
            self.checks.cancel()
            self._stop()
            self.lab_app.open_puzzle(self.entries[self.at].puzzle, instead=True)
