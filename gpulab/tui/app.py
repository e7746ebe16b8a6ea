"""The app itself: themes, the way between screens, and leaving the terminal as it was."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import threading
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.app import App
from textual.await_complete import AwaitComplete
from textual.screen import Screen

from gpulab.catalog.errors import CatalogError
from gpulab.catalog.model import Catalog, Puzzle
from gpulab.check import check as run_check
from gpulab.tui import editor, themes
from gpulab.tui.checking import Check
from gpulab.tui.screens.framed import Framed
from gpulab.tui.screens.home import HomeScreen
from gpulab.tui.screens.picker import Choice, Picker
from gpulab.tui.terminal import Restorer, Terminal, examine
from gpulab.views.look import Look
from gpulab.workspace import Workspace, WorkspaceError

if TYPE_CHECKING:
    from gpulab.tui.lab_state import LabState

MASK_SECONDS = 0.04
"""How long nothing is painted while one screen takes the place of another."""

PREPARE_SECONDS = 0.1
"""After the first paint, which nothing shall slow down."""

PANE_SECONDS = 6.0
"""How long it is said that an editor opened in a pane: it is there to see."""

LAST_RESORT_SECONDS = 2.0
"""After a hang-up or a request to end: how long leaving in order may take."""


class LabApp(App[int]):
    """gpulab on a terminal."""

    TITLE = "gpulab"
    ENABLE_COMMAND_PALETTE = False  # ours is a page of rows; Textual's runs a spinner
    CSS_PATH = "app.tcss"

    def __init__(self, workspace: Workspace, catalog: Catalog, *, terminal: Terminal | None = None,
                 puzzle: Puzzle | None = None, check: Check | None = None,
                 theme: str | None = None, prepare: Callable[[], None] | None = None) -> None:
        # Textual chooses its NO_COLOR filter here: with the terminal's own colours it is the one that sends none
        super().__init__(ansi_color=True if "NO_COLOR" in os.environ else None)
        self.workspace, self.catalog = workspace, catalog
        self.terminal = terminal or Terminal()
        self.first_puzzle = puzzle
        self.check = check or partial(run_check, cards=workspace.root)
        self._prepare = prepare
        self.editor: editor.Editor | None = None
        """Chosen here for this session, where the environment names none."""
        self.panes: dict[Path, editor.Pane] = {}
        """By file: where an editor was opened for it."""
        self.animation_level = "none"
        for each in themes.themes():
            self.register_theme(each)
        self.theme = theme or themes.first_theme(self.console.color_system, no_color=self.no_color)

    @property
    def look(self) -> Look:
        """The styles that views draw with."""
        return themes.look(self.theme, ascii=self.terminal.ascii, no_color=self.no_color)

    def on_mount(self) -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, self._end, number)
        home = HomeScreen(self.workspace, self.catalog)
        home.notice = self.terminal.notice
        self.push_screen(home)
        if self.first_puzzle is not None:
            self.open_puzzle(self.first_puzzle)
        if self._prepare is not None:
            self.set_timer(PREPARE_SECONDS, self._start_preparing)

    def _start_preparing(self) -> None:
        if self._prepare is not None:
            threading.Thread(target=self._prepare, name="gpulab-prepare", daemon=True).start()

    def _end(self, number: int) -> None:
        """Leave in order; if the terminal is gone and that hangs, leave all the same."""
        timer = threading.Timer(LAST_RESORT_SECONDS, os._exit, (128 + number,))
        timer.daemon = True
        timer.start()
        self.exit(128 + number, return_code=128 + number)

    # Between screens

    def push_screen(self, *screen: Any, **options: Any) -> Any:
        """As Textual's, painted once when all of the new screen is there: each paint is 8 KB."""
        self.delay_update(MASK_SECONDS)
        return super().push_screen(*screen, **options)

    def pop_screen(self) -> AwaitComplete:
        """As Textual's, painted once."""
        self.delay_update(MASK_SECONDS)
        return super().pop_screen()

    def switch_screen(self, screen: Screen[Any] | str) -> AwaitComplete:
        """As Textual's, painted once."""
        self.delay_update(MASK_SECONDS)
        return super().switch_screen(screen)

    @property
    def home(self) -> HomeScreen:
        """The screen under all others."""
        return next(screen for screen in self.screen_stack if isinstance(screen, HomeScreen))

    def open_puzzle(self, puzzle: Puzzle, *, instead: bool = False) -> None:
        """Open the Lab of a puzzle, over Home or instead of the Lab that is open."""
        from gpulab.runner import warm_for  # here and below: Home is drawn before these are imported
        from gpulab.tui.lab_state import LabState
        from gpulab.tui.screens.lab import LabScreen

        try:
            state = LabState.open(self.workspace, self.catalog, puzzle)
        except (WorkspaceError, CatalogError) as error:
            if isinstance(self.screen, Framed):
                self.screen.tell(str(error))
            return
        if self._prepare is not None:
            warm_for(puzzle)
        lab = LabScreen(state, self.check)
        if instead:
            self.switch_screen(lab)
        else:
            self.push_screen(lab)

    def show_list(self, puzzle: Puzzle) -> None:
        """Back to Home, the cursor on `puzzle`."""
        self.home.show_puzzle(puzzle)
        self._back_home()

    def _back_home(self) -> None:
        while not isinstance(self.screen, HomeScreen):
            self.pop_screen()

    # Commands that every screen has

    def action_help(self) -> None:
        """Keys and marks."""
        from gpulab.tui.screens.help import HelpScreen

        self.push_screen(HelpScreen(self.workspace))

    def action_find(self) -> None:
        """Any puzzle by some letters of its name or task."""
        standings = self.workspace.progress.standings()

        def about(puzzle: Puzzle) -> str:
            standing = standings.get(puzzle.id)
            return ("solved: " if standing is not None and standing.solved else "") + puzzle.summary

        choices = [Choice(puzzle, f"{puzzle.track} / {puzzle.name}", about(puzzle), puzzle.title)
                   for puzzle in self.catalog.puzzles]
        self.push_screen(Picker("Find a puzzle", choices), self._found)

    def _found(self, puzzle: Puzzle | None) -> None:
        if puzzle is None:
            return
        self._back_home()
        self.open_puzzle(puzzle)

    def action_commands(self) -> None:
        """What can be done here, by name."""
        self.push_screen(Picker("Commands", self._commands()), _call)

    def _commands(self) -> list[Choice[Callable[[], object]]]:
        choices = self.screen.commands() if isinstance(self.screen, Framed) else []
        choices.append(Choice(self.action_find, "Find a puzzle", "by its name or task"))
        if not self.no_color:
            choices += [Choice(partial(setattr, self, "theme", name), f"Theme: {words}",
                               f"to keep it: export GPULAB_THEME={words}", "colour color light dark")
                        for name, words in themes.NAMES.items()]
        return [*choices, Choice(self.action_help, "Help", "keys, words and marks", "what means glossary"),
                Choice(self._quit, "Quit", "everything is kept", "exit leave end")]

    def _quit(self) -> None:
        self.exit(0)

    # Editing

    def edit(self, state: LabState) -> None:
        """Open the learner's file in their editor, or ask which one that is."""
        chosen = editor.chosen() or self.editor
        if chosen is not None:
            self._edit_with(chosen, state)
            return
        named = editor.named()
        words = f"$EDITOR is {named}, which is not on this machine. " if named else "No editor is set. "
        found = editor.found()
        to_set = found[0].name if found else "nano"
        words += f"To set one for always, type: export EDITOR={to_set}. Any editor will do: the file is "
        words += state.shown_file
        choices = [Choice(_HERE, "built-in editor", "a small one, in the app itself")]
        choices += [Choice(one, one.name, "for this session") for one in found]
        self.push_screen(Picker("Edit with", choices, words=words), partial(self._edit_choice, state))

    def _edit_choice(self, state: LabState, choice: editor.Editor | None) -> None:
        if choice is _HERE:
            self.edit_here(state)
        elif choice is not None:
            self.editor = choice
            self._edit_with(choice, state)

    def edit_here(self, state: LabState) -> None:
        """The built-in editor."""
        from gpulab.tui.screens.editor import EditorScreen

        state.refresh()
        text, backups = editor.text_of(state.file) or "", self.workspace.root / "backups" / state.puzzle.track
        self.push_screen(EditorScreen(state.file, text, _line_of(state), backups))

    def _edit_with(self, chosen: editor.Editor, state: LabState) -> None:
        """In a pane of tmux or Zellij where there is one, else in the app's place until it ends."""
        command = chosen.on(state.file, _line_of(state))
        pane = editor.pane_command(command, state.file.parent, self.size.width, self.size.height)
        if pane is not None:
            if self._in_open_pane(pane[0], command, state):
                return
            opened = self.panes[state.file] = editor.open_pane(pane)
            if opened.trouble is None:
                self._tell(f"{chosen.name} is open in its own pane. Save there, and the check runs here.", PANE_SECONDS)
                return
            self._tell(f"No pane could be opened: {opened.trouble}")
        with self.suspend():
            ended = subprocess.run(command, check=False)
        self.refresh(layout=True)
        if ended.returncode:
            self._tell(f"{chosen.name} ended with status {ended.returncode}.")

    def _in_open_pane(self, host: str, command: list[str], state: LabState) -> bool:
        """Go to the pane in which this file is open already, or say that it is; two editors on a file lose work."""
        pane = self.panes.get(state.file)
        if pane is None:
            return False
        if editor.go_to_pane(pane):
            return True
        if host == "zellij" and pane.trouble is None and editor.is_open(command):
            self._tell(f"{state.file.name} is open in another pane already.", PANE_SECONDS)
            return True
        return False

    def _tell(self, sentence: str, seconds: float | None = None) -> None:
        if isinstance(self.screen, Framed):
            self.screen.tell(sentence, seconds)


_HERE = editor.Editor(("here",))
"""Stands for the built-in editor among the choices."""


def _line_of(state: LabState) -> int | None:
    """The line that the last diagnosis names, while the file is the one it speaks of."""
    report = state.report
    if report is None or report.diagnosis is None or report.source != state.source:
        return None
    return report.diagnosis.line


def _call(action: Callable[[], object] | None) -> None:
    if action is not None:
        action()


def prepare() -> None:
    """What the first puzzle and the first check will need, brought in while the learner looks at Home."""
    from gpulab.runner import warm

    warm()
    import_module("gpulab.tui.screens.lab")
    import_module("markdown_it")


def open_app(workspace: Workspace, catalog: Catalog, *, ascii: bool = False, puzzle: Puzzle | None = None) -> int:
    """Examine the terminal, run the app, and leave the terminal as it was whatever happens."""
    for name in ("COLUMNS", "LINES"):  # exported by some shells; Textual would believe them after a resize
        os.environ.pop(name, None)
    restorer = Restorer()
    app = LabApp(workspace, catalog, terminal=examine(ascii=ascii), puzzle=puzzle, prepare=prepare)
    try:
        status = app.run(mouse=False)
    except BaseException:
        restorer.restore()
        raise
    return app.return_code or status or 0
