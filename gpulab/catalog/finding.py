"""A puzzle or a track by the id a learner typed."""

from __future__ import annotations

from difflib import SequenceMatcher

from gpulab.catalog.errors import UnknownPuzzle
from gpulab.catalog.model import Catalog, Puzzle, Track


def find(catalog: Catalog, id: str) -> Puzzle:
    """The puzzle with this id or former id. Raises `UnknownPuzzle`, with what may have been meant."""
    wanted = id.strip().strip("/")
    for puzzle in catalog.puzzles:
        if wanted == puzzle.id or wanted in puzzle.aliases:
            return puzzle
    raise UnknownPuzzle(id, _suggestions(catalog, wanted))


def find_track(catalog: Catalog, id: str) -> Track | None:
    """The track with this id, or None."""
    return next((track for track in catalog.tracks if track.id == id), None)


def select(catalog: Catalog, ids: list[str]) -> list[Puzzle]:
    """The puzzles these ids mean, in the order given: a track's id stands for all its puzzles, none for everything."""
    if not ids:
        return list(catalog.puzzles)
    chosen: dict[str, Puzzle] = {}
    for id in ids:
        track = find_track(catalog, id.strip().strip("/"))
        for puzzle in track.puzzles if track else (find(catalog, id),):
            chosen.setdefault(puzzle.id, puzzle)
    return list(chosen.values())


def _suggestions(catalog: Catalog, wanted: str) -> tuple[str, ...]:
    """The first puzzles of a track whose id was typed, the same name in another track, or the closest ids."""
    track = find_track(catalog, wanted)
    if track:
        return tuple(puzzle.id for puzzle in track.puzzles[:2])
    name = wanted.rpartition("/")[2].lower()
    same = [puzzle.id for puzzle in catalog.puzzles if puzzle.name == name]
    if same:
        return tuple(same[:3])
    scores = {puzzle.id: max(_likeness(wanted, puzzle.id), _likeness(name, puzzle.name)) for puzzle in catalog.puzzles}
    scores |= {track.id: _likeness(wanted, track.id) for track in catalog.tracks}
    best = max(scores.values(), default=0.0)
    if best < 0.6:
        return ()
    return tuple(id for id, score in scores.items() if score > best - 0.05)[:3]


def _likeness(a: str, b: str) -> float:
    return SequenceMatcher(None, a.lower(), b.lower()).ratio()
