"""Home: what is next, the tracks, and the puzzles of the chosen one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from gpulab import catalog as texts
from gpulab.catalog.errors import CatalogError
from gpulab.catalog.model import Catalog, Puzzle
from gpulab.tui import clock, keymap
from gpulab.tui.paths import with_tilde
from gpulab.tui.screens.framed import Framed
from gpulab.tui.size import fits, too_small
from gpulab.tui.widgets.rows import RowsView
from gpulab.views import home
from gpulab.views.page import WIDE
from gpulab.workspace import Next, Standing, Workspace

if TYPE_CHECKING:
    from gpulab.tui.screens.picker import Choice


class HomeScreen(Framed[None]):
    """Opens at the puzzle to go on with; the cursor is on its track."""

    KEYS = keymap.HOME
    BINDINGS = keymap.bindings(keymap.HOME)

    def __init__(self, workspace: Workspace, catalog: Catalog) -> None:
        super().__init__()
        self.workspace, self.catalog = workspace, catalog
        self._read()
        self._fresh = True
        """Whether progress was read just now: a first paint need not read it twice."""
        self.track = self._track_of(self.next.puzzle)
        self.puzzle: int | None = None

    def on_screen_resume(self) -> None:
        """Progress may have changed in the Lab."""
        if not self._fresh:
            self._read()
        self._fresh = False
        self.redraw_soon()

    def _read(self) -> None:
        self.standings: dict[str, Standing] = self.workspace.progress.standings()
        self.next: Next = self.workspace.progress.next_puzzle(self.catalog, self.standings)

    def _track_of(self, puzzle: Puzzle) -> int:
        return [track.id for track in self.catalog.tracks].index(puzzle.track)

    @property
    def card(self) -> Puzzle:
        """What enter opens: the puzzle under the cursor, the one to go on with, or the chosen track's next."""
        puzzles = self.catalog.tracks[self.track].puzzles
        if self.puzzle is not None:
            return puzzles[self.puzzle]
        if self.next.puzzle.track == self.catalog.tracks[self.track].id or not puzzles:
            return self.next.puzzle
        return next((one for one in puzzles if not self.standings.get(one.id, Standing()).solved), puzzles[0])

    def draw(self, top: int | None) -> None:
        width, height = self.view.size
        small = too_small(self.size.width, self.size.height, self.look)
        shown = self._shown()
        left_right = home.title_row(shown, self.size.width, self.look)
        self.query_one("#title", RowsView).show([left_right])
        self.view.show_page(small or home.page(shown, width, height, self.look), top=0)
        self.draw_keys()

    def _shown(self) -> home.Home:
        progress, today = self.workspace.progress, clock.now().date()
        seconds, streak = progress.spent(today) if self.view.size.width >= WIDE else (0.0, 0)
        resumes = self.puzzle is None and self.card.id == self.next.puzzle.id
        return home.Home(
            self.catalog, self.standings, self.next.puzzle if resumes else self.card,
            why=self.next.why if resumes else "", hints_of_card=_hint_count(self.card), track=self.track,
            puzzle=self.puzzle, resumes=resumes, lately=progress.lately(4),
            problems=self.workspace.problems, folder=with_tilde(self.workspace.root), today=today,
            spent=seconds, streak=streak, machine=self._machine(),
        )

    def _machine(self) -> str:
        """Where checks run."""
        return "checks run on the GPU too" if self.lab_app.gpu else "checks run in the simulator"

    def now(self) -> Mapping[str, str | None]:
        if not fits(*self.size):
            return {"quit": None}
        standing = self.standings.get(self.card.id, Standing())
        verb = home.verb(standing)
        if self.puzzle is not None:
            return {"open": verb, "move": "puzzle", "tracks": None, "find": None, "commands": None, "help": None,
                    "quit": None}
        return {"open": verb, "move": None, "puzzles": None, "find": None, "doctor": None, "commands": None,
                "check_track": None, "help": None, "quit": None}

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if not fits(*self.size):
            return action == "quit"
        if action == "tracks":
            return self.puzzle is not None
        if action == "puzzles":
            return self.puzzle is None and bool(self.catalog.tracks[self.track].puzzles)
        return True

    def action_move(self, step: int) -> None:
        """The cursor up or down, among tracks or among puzzles; from the first puzzle up to the tracks."""
        if self.puzzle == 0 and step < 0:
            self.puzzle = None
        elif self.puzzle is None:
            self.track = max(0, min(self.track + step, len(self.catalog.tracks) - 1))
        else:
            self.puzzle = max(0, min(self.puzzle + step, len(self.catalog.tracks[self.track].puzzles) - 1))
        self.redraw()

    def action_puzzles(self) -> None:
        """The cursor into the chosen track, to the puzzle that the card shows."""
        puzzles = self.catalog.tracks[self.track].puzzles
        card = self.card
        self.puzzle = puzzles.index(card) if card in puzzles else 0
        self.redraw()

    def action_tracks(self) -> None:
        """The cursor back to the tracks."""
        self.puzzle = None
        self.redraw()

    def action_open(self) -> None:
        """Open the puzzle on the card."""
        self.lab_app.open_puzzle(self.card)

    def action_check_track(self) -> None:
        """Check every file of the chosen track."""
        track = self.catalog.tracks[self.track]
        self.lab_app.check_all(track.id, track.puzzles)

    def commands(self) -> list[Choice[Callable[[], object]]]:
        from gpulab.tui.screens.picker import Choice

        track = self.catalog.tracks[self.track]
        return [
            Choice(self.action_open, f"Open {self.card.id}", "the puzzle that Home shows", "start continue next"),
            Choice(self.action_check_track, f"Check all of {track.id}", "every file of the track that was begun",
                   "track whole"),
            Choice(partial(self.lab_app.check_all, "everything", self.catalog.puzzles), "Check everything",
                   "every file that was begun, in every track", "whole all tracks"),
        ]

    def show_puzzle(self, puzzle: Puzzle) -> None:
        """Put the cursor on a puzzle: coming back from the Lab, it is where the learner was."""
        self.track = self._track_of(puzzle)
        self.puzzle = self.catalog.tracks[self.track].puzzles.index(puzzle)


def _hint_count(puzzle: Puzzle) -> int:
    try:
        return len(texts.hints(puzzle))
    except CatalogError:
        return 0
