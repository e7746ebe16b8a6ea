"""Everything the Lab shows of one puzzle, read from the catalogue and the workspace."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from gpulab import catalog as texts
from gpulab.catalog.model import Catalog, Hint, Puzzle
from gpulab.judge.report import Report
from gpulab.tui import clock
from gpulab.tui.memory import Memory
from gpulab.tui.paths import with_tilde
from gpulab.tui.timing import TimingState
from gpulab.views import figures
from gpulab.views.solved import Solved
from gpulab.workspace import Standing, Workspace


@dataclass
class LabState:
    """What is known; the screen changes it and draws it anew."""

    workspace: Workspace
    catalog: Catalog
    puzzle: Puzzle
    file: Path
    statement: str
    starter: str
    hints: list[Hint]
    hints_read: int = 0
    source: str | None = None
    report: Report | None = None
    standing: Standing = field(default_factory=Standing)
    saved: datetime | None = None
    """When the last save was seen, or when the file was last written before."""
    tab: str = "brief"
    pan: int = 0
    case: int | None = None
    """The case under the cursor, in Result."""
    memory: Memory = field(default_factory=Memory)
    of_reference: Report | None = None
    counting_reference: bool = False
    """Whether the reference is being checked, for its figures."""
    timing: TimingState | None = None
    """What the Timing tab knows; None until it was opened."""
    gpu: bool = False
    """Whether this machine has a GPU."""

    @classmethod
    def open(cls, workspace: Workspace, catalog: Catalog, puzzle: Puzzle) -> LabState:
        """Copy the starter if there is no file, and read all that is shown. Raises WorkspaceError, CatalogError."""
        file = workspace.start(puzzle)
        state = cls(workspace, catalog, puzzle, file, texts.statement(puzzle),
                    puzzle.starter.read_text(encoding="utf-8"), texts.hints(puzzle))
        state.report = workspace.progress.last(puzzle)
        state.refresh()
        state.saved = _written(file) if not state.is_new else None
        state.tab = "result" if state.report is not None else "brief"
        return state

    def refresh(self) -> None:
        """Read the file and the progress again."""
        self.source = self.workspace.source(self.puzzle)
        if self.source is None:
            self.saved = None
        self.standing = self.workspace.progress.standing(self.puzzle)
        self.hints_read = min(self.workspace.progress.hints_read(self.puzzle), len(self.hints))

    @property
    def is_new(self) -> bool:
        """Whether the file is still the starter."""
        return self.source == self.starter

    @property
    def stale(self) -> bool:
        """Whether the file is another than the one that the last report speaks of."""
        return self.report is not None and self.source is not None and self.report.source != self.source

    @property
    def unchecked(self) -> bool:
        """Whether the file, as it is, was never checked."""
        return self.source is not None and (self.report is None or self.stale)

    @property
    def solved(self) -> bool:
        """Whether any check has passed."""
        return self.standing.solved

    @property
    def shown_file(self) -> str:
        """The file's path with `~` for the home folder."""
        return with_tilde(self.file)

    @property
    def place(self) -> tuple[int, int]:
        """(number, how many) of the puzzle in its track."""
        track = next(track for track in self.catalog.tracks if track.id == self.puzzle.track)
        return [puzzle.id for puzzle in track.puzzles].index(self.puzzle.id) + 1, len(track.puzzles)

    def saved_words(self, width: int) -> str:
        """Row 2, right: `new file`, `14:02:31`, or with room `saved 14:02:31`; the day where it is another.

        With a report of an earlier text it says that this one is not checked.
        """
        if self.source is None:
            return "no file"
        if self.is_new or self.saved is None:
            return "starter, unchanged" if width >= 100 else "new file"
        today = clock.now().date()
        when = figures.clock(self.saved) if self.saved.date() == today else figures.day(self.saved, today)
        return f"saved {when}" if width >= 100 else when

    def next_puzzle(self) -> Puzzle | None:
        """What follows this one once it is solved; None at the very end."""
        following = self.workspace.progress.next_puzzle(self.catalog).puzzle
        return following if following.id != self.puzzle.id else None

    def solved_page(self) -> Solved:
        """What a passed check shows beside its report."""
        following = self.next_puzzle()
        place = ""
        if following is not None:
            ids = [puzzle.id for puzzle in self.catalog.puzzles if puzzle.track == following.track]
            place = f"{ids.index(following.id) + 1} of {len(ids)}"
        return Solved(texts.after(self.puzzle), self.reference, following, place, self.of_reference,
                      self.counting_reference)

    @property
    def reference(self) -> str:
        """Source of the reference solution."""
        return self.puzzle.reference.read_text(encoding="utf-8")

    def read_hint(self) -> None:
        """One more hint is read."""
        self.hints_read = self.workspace.progress.read_hint(self.puzzle, of=len(self.hints))


def _written(file: Path) -> datetime | None:
    try:
        return datetime.fromtimestamp(file.stat().st_mtime)
    except OSError:
        return None
