"""Tracks and puzzles as read from tracks.yaml and the front matter of each statement.

Reading these imports no spec and no NumPy, so that `gpulab list` and the app open at once.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Hint:
    """One hint: `tells` is what it will tell (shown before it is asked for), `text` Markdown."""

    title: str
    tells: str
    text: str


@dataclass(frozen=True)
class StarTexts:
    """What each star asks for, one short phrase each ("at most 1.04 global loads per output")."""

    correct: str
    efficient: str | None = None
    fast: str | None = None
    efficient_needed: bool = False
    """True where the technique is the lesson: the puzzle is not passed without the second star."""

    @property
    def names(self) -> tuple[str, ...]:
        """The stars that the puzzle has, in order; every count of stars comes from here."""
        there = {"correct": self.correct, "efficient": self.efficient, "fast": self.fast}
        return tuple(name for name, asked in there.items() if asked is not None)


@dataclass(frozen=True)
class Puzzle:
    """One puzzle as a learner meets it; what checks it stands in its `spec.py`."""

    id: str
    """`track/puzzle`."""
    title: str
    summary: str
    """The task in one sentence, imperative."""
    language: str
    """"numba", "triton" or "torch"."""
    minutes: int
    write: str
    """The signature to write: `pool(out, a, n)`."""
    launched: str
    """How it is launched, in words: `pool[blocks, 64], a thread per element`."""
    stars: StarTexts
    folder: Path
    reference: Path
    """The reference solution, `kernels/<track>/<puzzle>.py`."""
    hunt: bool = False
    """Whether the starter is a broken kernel, whose bug the learner names in ANSWER (`gpulab.catalog.hunt`)."""
    aliases: tuple[str, ...] = ()
    """Ids this puzzle had before; stars stored under them count."""

    @property
    def track(self) -> str:
        return self.id.split("/")[0]

    @property
    def name(self) -> str:
        return self.id.split("/")[1]

    @property
    def starter(self) -> Path:
        return self.folder / "starter.py"

    @property
    def spec(self) -> Path:
        return self.folder / "spec.py"


@dataclass(frozen=True)
class Track:
    """A sequence of puzzles. `after` maps a track id to how many of its puzzles are best solved before."""

    id: str
    title: str
    summary: str
    tags: str
    """Three or four words for Home: "tiles, barriers, scans"."""
    puzzles: tuple[Puzzle, ...] = ()
    after: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Catalog:
    """All tracks in order."""

    tracks: tuple[Track, ...]
    root: Path

    @property
    def puzzles(self) -> tuple[Puzzle, ...]:
        return tuple(puzzle for track in self.tracks for puzzle in track.puzzles)
