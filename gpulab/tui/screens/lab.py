"""The Lab: one puzzle, its Brief, the learner's file, the last result and the hints."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from textual import events
from textual.timer import Timer

from gpulab.tui import keymap, lab_pages, report_file
from gpulab.tui.checking import Check, Checks
from gpulab.tui.lab_state import LabState
from gpulab.tui.messages import CheckCancelled, CheckEnded, CheckMoved, CheckStarted, FileSaved, ReferenceChecked
from gpulab.tui.paths import with_tilde
from gpulab.tui.screens.confirm import Confirm
from gpulab.tui.screens.framed import Framed
from gpulab.tui.screens.picker import Choice
from gpulab.tui.screens.reference import ReferenceScreen
from gpulab.tui.size import LEAST_LAB_HEIGHT, too_small
from gpulab.tui.watching import Watching
from gpulab.tui.widgets.rows import RowsView
from gpulab.views import frame
from gpulab.views.source import Source, first_marked_row, longest_line
from gpulab.workspace import WorkspaceError

STATUS_SECONDS = 0.5
"""Between two updates of the status; the first comes after this, so that a quick check does not flicker."""


GIVEN_UP = "The check was given up. r runs it again."


class LabScreen(Framed[None]):
    """A save, or r, checks the file; the diagnosis is what is seen next."""

    CSS_PATH = "lab.tcss"
    KEYS = keymap.LAB
    BINDINGS = keymap.bindings(keymap.LAB)
    TABBED = True

    def __init__(self, state: LabState, check: Check) -> None:
        super().__init__()
        self.state = state
        self.checks = Checks(self, check, state.workspace.progress.record)
        self.watching = Watching(self.post_message)
        self._status: Timer | None = None

    # What is drawn

    def on_mount(self) -> None:
        super().on_mount()
        source = self.state.source
        self.watching.start(self.state.file, source.encode() if source is not None else None)

    def on_unmount(self) -> None:
        self.watching.stop()
        self.checks.cancel()

    def draw(self, top: int | None) -> None:
        width, height = self.view.size
        small = too_small(self.size.width, self.size.height, self.look, least_height=LEAST_LAB_HEIGHT)
        self.draw_title(*lab_pages.title(self.state, self.look))
        self.draw_tabs()
        self.view.show_page(small or lab_pages.page(self.state, width, height, self.look), top)
        self.draw_keys()

    def draw_tabs(self) -> None:
        """Row 2: the tabs, and when the file was saved, or what the check is doing."""
        running, width = self.checks.running, self.size.width
        right = running.status() if running is not None and self._status is not None else self.state.saved_words(width)
        line = frame.tabs(list(lab_pages.TITLES.values()), lab_pages.TITLES[self.state.tab], right, width, self.look,
                          hue_right=running is not None)  # fmt: skip
        self.query_one("#tabs", RowsView).show([line])

    def now(self) -> Mapping[str, str | None]:
        return available(self)

    def commands(self) -> list[Choice[Callable[[], object]]]:
        return [
            Choice(self.action_run, "Run the check", "also by a save"),
            Choice(self.action_edit, "Edit", "in your own editor"),
            Choice(partial(self.lab_app.edit_here, self.state), "Edit here", "in the small built-in editor"),
            Choice(self.action_copy, "Copy the report", "to the clipboard and into a file"),
            Choice(self.action_solution, "Show the reference", "asks first while the puzzle is open"),
            Choice(self.action_reset, "Put the starter back", "asks first; your file is kept in backups/"),
            Choice(self.action_list, "List", "back to Home"),
        ]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "next":
            return self.state.solved and self.state.next_puzzle() is not None
        if action == "copy":
            return self.state.report is not None
        return True

    # Tabs and scrolling

    def action_tab(self, tab: str) -> None:
        """Open a tab from its top; the code opens at the first marked line."""
        self.state.tab = tab
        self.state.pan = 0
        top = 0
        if tab == "code":
            shown = Source(self.state.shown_file, self.state.source, self.state.report)
            top = max(0, first_marked_row(shown, self.size.width, self.look) - self.view.size.height // 2)
        self.redraw(top)

    def action_next_tab(self) -> None:
        """Open the tab to the right."""
        self.action_tab(keymap.TABS[(keymap.TABS.index(self.state.tab) + 1) % len(keymap.TABS)])

    def action_pan(self, step: int) -> None:
        """Move long lines of code sideways."""
        if self.state.tab == "code":
            most = max(0, longest_line(self.state.source) + 7 - self.size.width)
            self.state.pan = max(0, min(self.state.pan + step, most))
            self.redraw()

    # Checking

    def action_run(self) -> None:
        """Check the file as it is now."""
        self.checks.start(self.state.puzzle, self.state.file)

    def action_cancel(self) -> None:
        """Give up the check that is going on; without one, back to the list."""
        if not self.checks.cancel():
            self.action_list()

    def on_file_saved(self, message: FileSaved) -> None:
        """A save: note when, and check; a check of the older text is given up."""
        self.state.saved = message.when
        self.state.refresh()
        if self.state.tab == "code":
            self.redraw()
        self.action_run()

    def on_check_started(self, message: CheckStarted) -> None:
        if self.notice == GIVEN_UP:
            self.notice = ""
        if self._status is None:
            self._status = self.set_interval(STATUS_SECONDS, self.draw_tabs)
        self.draw_keys()

    def on_check_moved(self, message: CheckMoved) -> None:
        self.checks.moved(message)

    def on_check_cancelled(self, message: CheckCancelled) -> None:
        if self.checks.running is None:
            self._stop_status()
            self.draw_tabs()
            self.tell(GIVEN_UP)

    def on_check_ended(self, message: CheckEnded) -> None:
        """The result is what is seen next, from its top."""
        if not self.checks.ended(message.number):
            return
        self._stop_status()
        self.state.report = message.report
        self.state.refresh()
        self.action_tab("result")
        if message.report.passed:
            self.checks.reference(self.state.puzzle)

    def on_reference_checked(self, message: ReferenceChecked) -> None:
        self.state.of_reference = message.report
        if self.state.tab == "result" and message.report.passed:
            self.redraw()

    def _stop_status(self) -> None:
        if self._status is not None:
            self._status.stop()
            self._status = None

    # Editing, hints, the reference

    def action_edit(self) -> None:
        """Open the file in the learner's editor."""
        self.lab_app.edit(self.state)

    def action_hint(self) -> None:
        """Show the hints; there, read one more."""
        if self.state.tab != "hints":
            self.action_tab("hints")
            return
        if not self.state.solved and self.state.hints_read < len(self.state.hints):
            self.state.read_hint()
            self.redraw(top=10_000)

    def action_solution(self) -> None:
        """Show the reference; before it is solved only after a confirm."""
        if self.state.solved:
            self._show_reference(True)
            return
        question = "Show the reference before you have solved it? Hints may be enough: h"
        self.app.push_screen(Confirm(question, "show it", self.look), self._show_reference)

    def _show_reference(self, sure: bool | None) -> None:
        if sure:
            self.app.push_screen(ReferenceScreen(self.state.puzzle, self.state.source or "", self.state.reference))

    def action_reset(self) -> None:
        """Put the starter back after a confirm; the file is kept in backups."""
        question = f"Put the starter back into {self.state.file.name}? Your file is kept in backups/."
        self.app.push_screen(Confirm(question, "put it back", self.look), self._reset)

    def _reset(self, sure: bool | None) -> None:
        if not sure:
            return
        try:
            backup = self.state.workspace.reset(self.state.puzzle)
        except WorkspaceError as error:
            self.tell(str(error))
            return
        self.state.refresh()
        self.redraw()
        self.tell(f"The starter is back. Yours is {with_tilde(backup)}." if backup else "The starter is back.")

    def action_copy(self) -> None:
        """The report to the clipboard, and to a file for terminals that have none."""
        report = self.state.report
        if report is None:
            return
        self.app.copy_to_clipboard(report_file.as_text(report))
        try:
            path = report_file.write(report, self.state.workspace.root)
        except OSError as error:
            self.tell(f"Copied to the clipboard; no file could be written ({error.strerror}).")
            return
        self.tell(f"Copied, and written to {with_tilde(path)}.")

    # Going elsewhere

    def action_next(self) -> None:
        """The puzzle after this one."""
        following = self.state.next_puzzle()
        if following is not None:
            self.lab_app.open_puzzle(following, instead=True)

    def action_list(self) -> None:
        """Back to Home, the cursor on this puzzle."""
        self.lab_app.show_list(self.state.puzzle)

    def on_screen_resume(self, event: events.ScreenResume) -> None:
        """After an editor, help or the reference: the file may be another."""
        self.state.refresh()
        self.call_after_refresh(self.redraw)


def available(screen: LabScreen) -> dict[str, str | None]:
    """The Lab's keys that work now, most likely first."""
    state = screen.state
    read, count = state.hints_read, len(state.hints)
    hint: dict[str, str | None] = {"hint": f"hints {count if state.solved else read}/{count}"}
    more: dict[str, str | None] = {"scroll": None} if screen.view.overflow else {}
    rest: dict[str, str | None] = {"list": None, "commands": None, "help": None, "quit": None}
    if screen.checks.running is not None:
        return {"cancel": None, "edit": None, **hint, **rest}
    if state.tab == "result" and state.report is not None and state.report.passed:
        following = state.next_puzzle()
        ahead: dict[str, str | None] = {"next": f"next {following.name}"} if following is not None else {}
        return {**ahead, "solution": "reference", **more, "copy": None, **hint, "list": None, "edit": None, "run": None,
                **rest}  # fmt: skip
    if state.tab == "hints":
        if not state.solved and read < count:
            hint = {"hint": f"next hint {read + 1}/{count}"}
        elif state.solved:
            hint = {"solution": "reference"}
        else:
            hint = {"solution": None}
        return {**hint, **more, "run": None, "edit": None, "tab('result')": None, **rest}
    if state.tab == "result" and state.report is not None:
        return {"run": None, "edit": None, **hint, **more, "copy": None, "tab('code')": None, **rest}
    if state.tab == "code":
        return {"run": None, "edit": None, **more, "tab('result')": None, **hint, **rest}
    return {"run": None, "edit": None, **more, "tab('code')": None, **hint, **rest}
