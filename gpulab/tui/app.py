"""The app itself: themes, the way between screens, and leaving the terminal as it was."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType
from textual.app import App
from textual.await_complete import AwaitComplete
from textual.driver import Driver
from textual.screen import Screen

from gpulab.catalog.errors import CatalogError
from gpulab.catalog.model import Catalog, Puzzle
from gpulab.check import check as run_check
from gpulab.check import draw as run_draw
from gpulab.check import has_gpu
from gpulab.tui import own_keys, painting, themes
from gpulab.tui.keymap import NONE as NO_KEYS
from gpulab.tui.paths import with_tilde
from gpulab.tui.screens.framed import Framed
from gpulab.tui.screens.home import HomeScreen
from gpulab.tui.terminal import Restorer, Terminal, examine
from gpulab.views.look import Look
from gpulab.workspace import Workspace, WorkspaceError

if TYPE_CHECKING:
    from gpulab.tui.checking import Check
    from gpulab.tui.drawing import Draw
    from gpulab.tui.editing import Editing
    from gpulab.tui.lab_state import LabState
    from gpulab.tui.screens.doctor import Examine
    from gpulab.tui.screens.picker import Choice
    from gpulab.tui.timing import Timer

MASK_SECONDS = 0.04
"""How long nothing is painted while one screen takes the place of another."""

PREPARE_SECONDS = 0.1
"""After the first paint, which nothing shall slow down."""

LAST_RESORT_SECONDS = 2.0
"""After a hang-up or a request to end: how long leaving in order may take."""


class LabApp(App[int]):
    """gpulab on a terminal."""

    TITLE = "gpulab"
    ENABLE_COMMAND_PALETTE = False  # ours is a page of rows; Textual's runs a spinner
    CSS_PATH = "app.tcss"

    def __init__(self, workspace: Workspace, catalog: Catalog, *, terminal: Terminal | None = None,
                 puzzle: Puzzle | None = None, check: Check | None = None, draw: Draw | None = None,
                 timer: Timer | None = None, examine: Examine | None = None,
                 own_keys: Mapping[str, str] = NO_KEYS, theme: str | None = None,
                 prepare: Callable[[], None] | None = None) -> None:
        # Textual chooses its NO_COLOR filter here: with the terminal's own colours it is the one that sends none
        super().__init__(ansi_color=True if "NO_COLOR" in os.environ else None)
        self.workspace, self.catalog = workspace, catalog
        self.terminal = terminal or Terminal()
        self.first_puzzle = puzzle
        self.check = check or partial(run_check, cards=workspace.root)
        self.draw_picture = draw or run_draw
        self.own_keys = own_keys
        """The learner's own, by binding id."""
        self.set_keymap(dict(own_keys))
        self._timer, self._examine = timer, examine
        self._prepare = prepare
        self._editing: Editing | None = None
        self.animation_level = "none"
        for each in themes.themes():
            self.register_theme(each)
        self.theme = theme or themes.first_theme(self.console.color_system, no_color=self.no_color)

    @property
    def look(self) -> Look:
        """The styles that views draw with."""
        return themes.look(self.theme, ascii=self.terminal.ascii, no_color=self.no_color)

    @property
    def gpu(self) -> bool:
        """Whether this machine has a GPU; asked before the first paint, so that nothing is imported for it."""
        return self._timer.gpu if self._timer is not None else has_gpu()

    @property
    def timer(self) -> Timer:
        """What times files."""
        if self._timer is None:
            self._timer = timer_of(self.workspace.root)
        return self._timer

    def get_default_screen(self) -> HomeScreen:
        """The screen under all others: not one more that is pushed over an empty one."""
        home = HomeScreen(self.workspace, self.catalog)
        home.notice = self.terminal.notice
        return home

    def on_mount(self) -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, self._end, number)
        if self.first_puzzle is not None:
            self.open_puzzle(self.first_puzzle)
        if self._prepare is not None:
            self.set_timer(PREPARE_SECONDS, self._start_preparing)

    def _start_preparing(self) -> None:
        gc.enable()
        if self._prepare is not None:
            threading.Thread(target=self._prepare, name="gpulab-prepare", daemon=True).start()

    def _end(self, number: int) -> None:
        """Leave in order; if the terminal is gone and that hangs, leave all the same."""
        timer = threading.Timer(LAST_RESORT_SECONDS, os._exit, (128 + number,))
        timer.daemon = True
        timer.start()
        self.exit(128 + number, return_code=128 + number)

    # Few bytes

    def get_driver_class(self) -> type[Driver]:
        """Textual's for this platform, made thrifty."""
        return painting.thrifty(super().get_driver_class())

    def _display(self, screen: Screen[Any], renderable: RenderableType | None) -> None:
        super()._display(screen, painting.cut(renderable))

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
        lab = LabScreen(state, self.check, self.draw_picture)
        if instead:
            self.switch_screen(lab)
        else:
            self.push_screen(lab)

    def check_all(self, title: str, puzzles: Sequence[Puzzle]) -> None:
        """Check every file of these puzzles that was begun."""
        from gpulab.tui.screens.whole import WholeScreen

        self.push_screen(WholeScreen(title, puzzles, self.workspace, self.check))

    def show_list(self, puzzle: Puzzle) -> None:
        """Back to Home, the cursor on `puzzle`."""
        self.home.show_puzzle(puzzle)
        self._back_home()

    def _back_home(self) -> None:
        while not isinstance(self.screen, HomeScreen):
            self.pop_screen()

    def action_help_quit(self) -> None:
        """ctrl-c where it gives up nothing: Textual's own answer would be a toast that paints for seconds."""
        self.tell("q leaves; everything is kept." if isinstance(self.screen, HomeScreen) else "Nothing is running.")

    # Commands that every screen has

    def action_help(self) -> None:
        """Keys and marks."""
        from gpulab.tui.screens.help import HelpScreen

        name = self.screen.in_keymap if isinstance(self.screen, Framed) else "Lab"
        self.push_screen(HelpScreen(self.workspace, name))

    def action_doctor(self) -> None:
        """What this machine can do, and what cures what it cannot."""
        from gpulab.tui.screens.doctor import DoctorScreen

        self.push_screen(DoctorScreen(self.workspace.root, self._examine))

    def action_find(self) -> None:
        """Any puzzle by some letters of its name or task."""
        from gpulab.tui.screens.picker import Choice, Picker

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
        from gpulab.tui.screens.picker import Picker

        self.push_screen(Picker("Commands", self._commands()), _call)

    def _commands(self) -> list[Choice[Callable[[], object]]]:
        from gpulab.tui.screens.picker import Choice

        choices = self.screen.commands() if isinstance(self.screen, Framed) else []
        choices.append(Choice(self.action_find, "Find a puzzle", "by its name or task"))
        if not self.no_color:
            choices += [Choice(partial(setattr, self, "theme", name), f"Theme: {words}",
                               f"to keep it: export GPULAB_THEME={words}", "colour color light dark")
                        for name, words in themes.NAMES.items()]
        return [*choices, Choice(self.action_doctor, "Doctor", "what this machine can do, and what cures it",
                                 "gpu driver install broken environment"),
                Choice(self._change_keys, "Change the keys", "writes keys.yaml, where each key has a name",
                       "keymap bindings shortcuts"),
                Choice(self.action_help, "Help", "keys, words and marks", "what means glossary"),
                Choice(self._quit, "Quit", "everything is kept", "exit leave end")]

    def _change_keys(self) -> None:
        """Write the file of keys if there is none, and open it."""
        try:
            file = own_keys.write_template(self.workspace.root)
        except OSError as error:
            self.tell(f"keys.yaml could not be written: {error.strerror}.")
            return
        self.tell(f"Keys are changed in {with_tilde(file)}, and used from the next start on.")

    def _quit(self) -> None:
        self.exit(0)

    # Editing

    @property
    def editing(self) -> Editing:
        """Where files are edited."""
        if self._editing is None:
            from gpulab.tui.editing import Editing

            self._editing = Editing(self)
        return self._editing

    def edit(self, state: LabState) -> None:
        """Open the learner's file in their editor, or ask which one that is."""
        self.editing.edit(state)

    def edit_here(self, state: LabState) -> None:
        """The built-in editor."""
        self.editing.edit_here(state)

    def tell(self, sentence: str, seconds: float | None = None) -> None:
        if isinstance(self.screen, Framed):
            self.screen.tell(sentence, seconds)


def _call(action: Callable[[], object] | None) -> None:
    if action is not None:
        action()


def timer_of(cards: Path) -> Timer:
    """What times files on this machine."""
    from gpulab.tui.timing import Timer

    return Timer.of_this_machine(cards)


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
    own, problems = own_keys.read(workspace.root)
    terminal = examine(ascii=ascii)
    if problems and not terminal.notice:
        terminal = replace(terminal, notice=problems[0])
    app = LabApp(workspace, catalog, terminal=terminal, puzzle=puzzle, prepare=prepare, own_keys=own)
    try:
        status = app.run(mouse=False)
    except BaseException:
        restorer.restore()
        raise
    return app.return_code or status or 0
