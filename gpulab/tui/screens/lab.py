"""The Lab: one puzzle, its Brief, the learner's file, the last result and the hints."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from textual import events
from textual.timer import Timer

from gpulab.judge.report import Report
from gpulab.tui import keymap, lab_pages, report_file
from gpulab.tui.checking import Check, Checks
from gpulab.tui.drawing import Draw, Drawings
from gpulab.tui.lab_state import LabState
from gpulab.tui.messages import (
    CheckCancelled,
    CheckEnded,
    CheckMoved,
    CheckStarted,
    FileGone,
    FileSaved,
    ReferenceChecked,
    TimingPlanned,
)
from gpulab.tui.paths import with_tilde
from gpulab.tui.screens.confirm import Confirm
from gpulab.tui.screens.memory_tab import WITH_STEPS, MemoryTab
from gpulab.tui.screens.picker import Choice
from gpulab.tui.screens.reference import ReferenceScreen
from gpulab.tui.size import LEAST_LAB_HEIGHT, fits, too_small
from gpulab.tui.timing import NO_GPU, NOT_RIGHT, NOT_YET, TimingState, timing_of
from gpulab.tui.watching import Watching
from gpulab.tui.widgets.rows import RowsView
from gpulab.views import cases, frame
from gpulab.views.source import Source, first_marked_row, longest_line
from gpulab.workspace import WorkspaceError

STATUS_SECONDS = 0.5
"""Between two updates of the status; the first comes after this, so that a quick check does not flicker."""


GIVEN_UP = "The check was given up. r runs it again."
NOTHING_RUNS = "Nothing is running that escape could give up. l goes to the list of puzzles."
NOT_SOLVED = "n goes on once this puzzle is solved. l is the list: open any."
LAST_ONE = "Every puzzle is solved: this was the last one. l is the list."
NO_REPORT = "There is no report to copy yet: r checks the file."
NO_FILE = "There is no file to check. p, then Put the starter back, begins again."


class LabScreen(MemoryTab):
    """A save, or r, checks the file; the diagnosis is what is seen next."""

    CSS_PATH = "lab.tcss"
    KEYS = (*keymap.LAB, *keymap.MEMORY)
    BINDINGS = keymap.bindings(KEYS)
    TABBED = True

    def __init__(self, state: LabState, check: Check, draw: Draw) -> None:
        super().__init__()
        self.state = state
        self.drawings = Drawings(self, draw)
        self.checks = Checks(self, check, state.workspace.progress.record)
        self.watching = Watching(self.post_message)
        self._status: Timer | None = None
        self._told = False
        """Whether the check that goes on has been told."""

    # What is drawn

    def on_mount(self) -> None:
        super().on_mount()
        self.state.gpu = self.lab_app.gpu
        self._watch()
        if self.state.unchecked and not self.state.is_new:
            self.action_run()  # it was changed while no Lab looked, or written before its first check

    def _watch(self) -> None:
        """Watch for saves from now on: what the file holds is known."""
        self.watching.start(self.state.file, _content(self.state.file))

    def on_unmount(self) -> None:
        self.watching.stop()
        self.checks.cancel()
        self.drawings.cancel()

    def draw(self, top: int | None) -> None:
        width, height = self.view.size
        small = too_small(self.size.width, self.size.height, self.look, least_height=LEAST_LAB_HEIGHT)
        self.draw_title(*lab_pages.title(self.state, self.look))
        self.draw_tabs()
        page = small or lab_pages.page(self.state, width, height, self.look, checking=self._slow,
                                       drawing=self.drawings.running is not None or self.checks.running is not None)
        self.view.show_page(page, top)
        self.draw_keys()

    @property
    def _slow(self) -> bool:
        """Whether a check goes on for long enough to be told."""
        return self.checks.running is not None and self._told

    @property
    def _fits(self) -> bool:
        return fits(*self.size, LEAST_LAB_HEIGHT)

    def _tick(self) -> None:
        """Twice a second while a check goes on: what it does; at first, that the page is of the check before."""
        if not self._told:
            self._told = True
            if self.state.tab == "result":
                self.redraw()
        self.draw_tabs()

    def draw_tabs(self) -> None:
        """Row 2: the tabs, and when the file was saved, or what the check is doing."""
        running, width = self.checks.running, self.size.width
        drawn = self.drawings.running if running is None else None
        right = self.state.saved_words(width)
        if self._status is not None and (running is not None or drawn is not None):
            right = running.status() if running is not None else f"drawing: {drawn.status()}" if drawn else right
        hue = running is not None or drawn is not None or self.state.stale or self.state.source is None
        line = frame.tabs(list(lab_pages.TITLES.values()), lab_pages.TITLES[self.state.tab], right, width, self.look,
                          hue_right=hue)
        self.query_one("#tabs", RowsView).show([line])

    def now(self) -> Mapping[str, str | None]:
        return available(self)

    def commands(self) -> list[Choice[Callable[[], object]]]:
        return [
            Choice(self.action_run, "Run the check", "also by a save", "test verify"),
            Choice(self.action_time, "Time it", "your file and the reference, on a GPU",
                   "bench benchmark fast speed"),
            Choice(self.action_edit, "Edit", "in your own editor", "open vim nano"),
            Choice(partial(self.lab_app.edit_here, self.state), "Edit here", "in the small built-in editor", "open"),
            *map(self._tab_choice, keymap.TABS),
            Choice(self.action_hint, "Hint", "the hints; there, one more", "help stuck"),
            Choice(self.action_next, "Next puzzle", "once this one is solved", "go on forward"),
            Choice(self.action_copy, "Copy the report", "to the clipboard and into a file", "share save clipboard"),
            Choice(self.action_solution, "Show the reference", "asks first while the puzzle is open",
                   "solution answer give up"),
            Choice(self.action_reset, "Put the starter back", "asks first; your file is kept in backups/",
                   "reset restore begin again undo"),
            Choice(self.action_list, "List", "back to Home", "puzzles leave escape"),
        ]

    @property
    def in_keymap(self) -> str:
        """Memory has keys of its own."""
        return "Memory" if self.in_memory else "Lab"

    def _tab_choice(self, tab: str) -> Choice[Callable[[], object]]:
        return Choice(partial(self.action_tab, tab), f"Tab: {tab.capitalize()}", keymap.explanation(f"tab('{tab}')"))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in ("time", "look") and (action == "look") != self.in_memory:
            return False  # b is banks in Memory, and times elsewhere
        return self._fits or action == "quit"

    # Tabs and scrolling

    def action_tab(self, tab: str) -> None:
        """Open a tab from its top; the code opens at the first marked line."""
        self.state.tab = tab
        self.state.pan, self.state.case = 0, None
        top = 0
        if tab == "code":
            shown = Source(self.state.shown_file, self.state.source, self.state.report)
            top = max(0, first_marked_row(shown, self.size.width, self.look) - self.view.size.height // 2)
        if tab == "memory":
            self.draw_file(at_fault=self._at_fault)
        if tab == "timing":
            self._open_timing()
        self.redraw(top)

    def _open_timing(self) -> None:
        """Read what was timed; ask what would be, where nothing is known of the file as it is."""
        timing = self.state.timing or TimingState(self.state.workspace, self.state.puzzle, self.lab_app.timer)
        self.state.timing = timing
        timing.refresh()
        if timing.shown(self.state).timing is None and self.checks.running is None:
            timing.ask(self, self.state.file, self.state.source)

    def on_timing_planned(self, message: TimingPlanned) -> None:
        """What would be timed is known."""
        if self.state.timing is not None and self.state.timing.told(message) and self.state.tab == "timing":
            self.redraw()

    def action_time(self) -> None:
        """Time the file on the GPU, and the reference beside it where its time is not known."""
        report = self.state.report
        if self.state.puzzle.language != "numba":
            self.tell(NOT_YET)
        elif not self.lab_app.timer.gpu:
            self.tell(NO_GPU)
        elif report is None or not report.passed or self.state.stale or self.state.source is None:
            self.tell(NOT_RIGHT)
        else:
            self.action_tab("timing")
            assert self.state.timing is not None
            work = timing_of(self.lab_app.timer, report, self.state.timing.reference(report.timing))
            self.checks.start(self.state.puzzle, self.state.file, work)

    def action_next_tab(self, step: int) -> None:
        """Open the tab to the right, or to the left."""
        self.action_tab(keymap.TABS[(keymap.TABS.index(self.state.tab) + step) % len(keymap.TABS)])

    def action_pan(self, step: int) -> None:
        """Move long lines of code sideways; in Result, choose another case; in Memory, step in time."""
        if self.in_memory:
            self.step(1 if step > 0 else -1)
        elif self.state.tab == "result" and (count := self.case_count):
            chosen, first = self.state.case, 0 if step > 0 else count - 1
            self.state.case = first if chosen is None else (chosen + (1 if step > 0 else -1)) % count
            self.redraw()
        elif self.state.tab == "code":
            self.state.pan = max(0, min(self.state.pan + step, self.hidden_columns))
            self.redraw()

    def action_scroll(self, rows: int) -> None:
        """Move the page by some rows; in Memory, go to another line of the source."""
        if self.in_memory and self.memory.scene is not None:
            self.line(rows)
        else:
            super().action_scroll(rows)

    def action_page(self, pages: int) -> None:
        """Move the page by whole heights; home and end of Memory are its first step and its last."""
        if self.in_memory and self.memory.scene is not None and abs(pages) > 1:
            self.first_or_last(1 if pages > 0 else -1)
        else:
            super().action_page(pages)

    @property
    def case_count(self) -> int:
        """How many cases Result can tell of."""
        return len(cases.of_report(self.state.report)) if self.state.report is not None else 0

    @property
    def hidden_columns(self) -> int:
        """How many columns of the file are cut off."""
        return max(0, longest_line(self.state.source) + 7 - self.size.width)

    # Checking

    def action_run(self) -> None:
        """Check the file as it is now."""
        if not self.state.file.exists():
            self._without_file()
            self.tell(NO_FILE)
            return
        self.checks.start(self.state.puzzle, self.state.file)

    def action_cancel(self) -> None:
        """Give up the check that is going on. Nothing else: who presses escape once too often stays here."""
        if self.checks.cancel() or self.drawings.cancel():
            return
        if self.state.case is not None:
            self.state.case = None
            self.redraw()
        else:
            self.tell(NOTHING_RUNS)

    def on_file_gone(self, message: FileGone) -> None:
        """The file was deleted or moved away: say so at once, not at the next check."""
        if self.checks.cancel():
            self._stop_status()
        self._without_file()

    def _without_file(self) -> None:
        self.state.refresh()
        if self.state.source is None:
            self.action_tab("result")

    def on_file_saved(self, message: FileSaved) -> None:
        """A save: note when, and check; a check of the older text is given up."""
        self.forget()
        self.drawings.cancel()
        self.state.saved = message.when
        self.state.refresh()
        if self.state.tab == "code":
            self.redraw()
        self.action_run()

    def on_check_started(self, message: CheckStarted) -> None:
        if self.passing or self.notice in (GIVEN_UP, NOTHING_RUNS, NO_REPORT, NO_FILE, NO_GPU, NOT_RIGHT, NOT_YET):
            self.notice = ""
        self.watch_work()
        self.draw_keys()

    def watch_work(self) -> None:
        if self._status is None:
            self._status = self.set_interval(STATUS_SECONDS, self._tick)

    def rest(self) -> None:
        if self.checks.running is None and self.drawings.running is None:
            self._stop_status()
        self.draw_tabs()
        self.draw_keys()

    def on_check_moved(self, message: CheckMoved) -> None:
        self.checks.moved(message)

    def on_check_cancelled(self, message: CheckCancelled) -> None:
        if self.checks.running is None and self.state.source is not None:
            self._stop_status()
            self.redraw()
            self.tell(GIVEN_UP)

    def on_check_ended(self, message: CheckEnded) -> None:
        """The result is what is seen next, from its top."""
        if not self.checks.ended(message.number):
            return
        self._stop_status()
        self.state.report = message.report
        self.state.refresh()
        self.state.counting_reference = message.report.passed and self.state.of_reference is None
        if self.in_memory:
            self.action_tab("memory")
            self.tell(_verdict_words(message.report))
        else:
            timed = self.state.tab == "timing" and message.report.passed
            self.action_tab("timing" if timed else "result")
        if self.state.counting_reference:
            self.checks.reference(self.state.puzzle)

    def on_reference_checked(self, message: ReferenceChecked) -> None:
        self.state.of_reference, self.state.counting_reference = message.report, False
        if self.state.tab == "result" and message.report.passed:
            self.redraw()

    def _stop_status(self) -> None:
        if self._status is not None:
            self._status.stop()
            self._status = None
        self._told = False

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
        question = "Show the reference before you have solved it? A hint may do: escape, h."
        self.app.push_screen(Confirm(question, "show it", self.look), self._show_reference)

    def _show_reference(self, sure: bool | None) -> None:
        if sure:
            self.app.push_screen(ReferenceScreen(self.state.puzzle, self.state.source or "", self.state.reference))

    def action_reset(self) -> None:
        """Put the starter back after a confirm; the file, if there is one, is kept in backups."""
        kept = "Your file is kept in backups/." if self.state.source is not None else "There is no file now."
        question = f"Put the starter back into {self.state.file.name}? {kept}"
        self.app.push_screen(Confirm(question, "put it back", self.look), self._reset)

    def _reset(self, sure: bool | None) -> None:
        if not sure:
            return
        self.checks.cancel()
        self.watching.stop()  # the starter is no save of the learner's, to be checked
        try:
            backup = self.state.workspace.reset(self.state.puzzle)
        except WorkspaceError as error:
            self.tell(str(error))
            return
        finally:
            self._watch()
        self.state.refresh()
        self.state.saved = None
        self.action_tab("brief")
        self.tell(f"The starter is back. Yours is {with_tilde(backup)}." if backup else "The starter is back.")

    def action_copy(self) -> None:
        """The report to the clipboard, and to a file for terminals that have none."""
        report = self.state.report
        if report is None:
            self.tell(NO_REPORT)
            return
        self.app.copy_to_clipboard(report_file.as_text(report, self.state.puzzle))
        try:
            path = report_file.write(report, self.state.workspace.root, self.state.puzzle)
        except OSError as error:
            self.tell(f"Copied to the clipboard; no file could be written ({error.strerror}).")
            return
        self.tell(f"Copied, and written to {with_tilde(path)}.")

    # Going elsewhere

    def action_next(self) -> None:
        """The puzzle after this one, once it is solved."""
        following = self.state.next_puzzle() if self.state.solved else None
        if following is not None:
            self.lab_app.open_puzzle(following, instead=True)
        else:
            self.tell(LAST_ONE if self.state.solved else NOT_SOLVED)

    def action_list(self) -> None:
        """Back to Home, the cursor on this puzzle."""
        self.lab_app.show_list(self.state.puzzle)

    def on_screen_resume(self, event: events.ScreenResume) -> None:
        """After an editor, help or the reference: the file may be another, and so may its verdict."""
        self.state.refresh()
        self.redraw_soon()


def _verdict_words(report: Report) -> str:
    """What a check found, for who is looking at Memory."""
    diagnosis = report.diagnosis
    if report.passed or diagnosis is None:
        return "Solved: 3 shows why it worked." if report.passed else f"Checked: {report.verdict}. 3 shows the result."
    return f"{report.verdict[0].upper()}{report.verdict[1:]}: {diagnosis.message} 3 shows the result."


def _content(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except OSError:
        return None


def available(screen: LabScreen) -> dict[str, str | None]:
    """The Lab's keys that work now, most likely first."""
    state = screen.state
    if not screen._fits:
        return {"quit": None}
    read, count = state.hints_read, len(state.hints)
    hint: dict[str, str | None] = {"hint": f"hints {count if state.solved else read}/{count}"}
    more: dict[str, str | None] = {"scroll": None} if screen.view.overflow else {}
    rest: dict[str, str | None] = {"list": None, "commands": None, "help": None, "quit": None}
    if state.source is None:
        return {"commands": "put the starter back", **hint, "list": None, "help": None, "quit": None}
    going = screen.checks.running is not None or screen.drawings.running is not None
    if going:
        walk = screen.memory_keys() if screen.in_memory else {}
        return {"cancel": None, **walk, "help": None} if walk else {"cancel": None, "edit": None, **hint, **rest}
    following = state.next_puzzle() if state.solved else None
    ahead: dict[str, str | None] = {"next": f"next {following.name}"} if following is not None else {}
    if screen.in_memory and (keys := screen.memory_keys()):
        return {**keys, **({"page": None} if more else {}), **(ahead or {"run": None}), "help": None}
    choose: dict[str, str | None] = {"pan": "case"} if screen.case_count > 1 else {}
    if state.tab == "result" and state.report is not None and state.report.passed:
        return {**ahead, "solution": "reference", **more, "copy": None, **_timing_key(state), **hint, **choose,
                "list": None, "edit": None, "run": None, **rest}
    if state.tab == "timing":
        right = state.report is not None and state.report.passed and not state.stale
        right &= state.puzzle.language == "numba"
        time: dict[str, str | None] = {"time": None} if state.gpu and right else {}
        return {**time, "run": None, "edit": None, **more, **ahead, "tab('result')": None, **hint, **rest}
    if state.tab == "hints":
        if not state.solved and read < count:
            hint = {"hint": f"next hint {read + 1}/{count}"}
        elif state.solved:
            hint = {"solution": "reference", **ahead}
        else:
            hint = {"solution": None}
        return {**hint, **more, "run": None, "edit": None, "tab('result')": None, **rest}
    if state.tab == "result" and state.report is not None:
        step: dict[str, str | None] = {"memory": None} if state.report.verdict in WITH_STEPS else {}
        return {"run": None, "edit": None, **step, **hint, **more, **choose, "copy": None, "tab('code')": None, **rest}
    if state.tab == "code":
        pan: dict[str, str | None] = {"pan": None} if screen.hidden_columns else {}
        return {"run": None, "edit": None, **pan, **more, **ahead, "tab('result')": None, **hint, **rest}
    if state.tab == "memory":
        return {"run": None, "edit": None, "tab('result')": None, **hint, **rest}
    return {"run": None, "edit": None, **more, **ahead, "tab('code')": None, **hint, **rest}


def _timing_key(state: LabState) -> dict[str, str | None]:
    """The way to the times, where the puzzle has a star for them."""
    return {"tab('timing')": None} if "fast" in state.puzzle.stars.names else {}
