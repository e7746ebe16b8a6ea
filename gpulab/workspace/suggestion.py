"""Which puzzle to go on with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpulab.workspace.records import Next, Standing

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from gpulab.catalog.model import Catalog, Puzzle, Track


def suggest(catalog: Catalog, standings: Mapping[str, Standing], touched: str | None) -> Next:
    """What was left unsolved, else the next in its track, else a track that is ready, else a star that is open.

    Raises ValueError for a catalogue without puzzles.
    """
    if not catalog.puzzles:
        raise ValueError("the catalogue has no puzzles")
    track = next((track for track in catalog.tracks if any(puzzle.id == touched for puzzle in track.puzzles)), None)
    return (
        (_resumed(track, standings, touched) or _after(track, standings, touched) if track else None)
        or _in_a_ready_track(catalog, standings)
        or _with_an_open_star(catalog, standings)
    )


def _solved(puzzle: Puzzle, standings: Mapping[str, Standing]) -> bool:
    return standings.get(puzzle.id, Standing()).solved


def _unsolved(puzzles: Iterable[Puzzle], standings: Mapping[str, Standing]) -> Puzzle | None:
    return next((puzzle for puzzle in puzzles if not _solved(puzzle, standings)), None)


def _resumed(track: Track, standings: Mapping[str, Standing], touched: str | None) -> Next | None:
    puzzle = next(puzzle for puzzle in track.puzzles if puzzle.id == touched)
    standing = standings.get(puzzle.id, Standing())
    if standing.solved:
        return None
    if standing.last is None:
        return Next(puzzle, "You opened it last.")
    line = f" on line {standing.last.line}" if standing.last.line else ""
    return Next(puzzle, f"You were at it: last check {standing.last.verdict}{line}.")


def _after(track: Track, standings: Mapping[str, Standing], touched: str | None) -> Next | None:
    """The next open puzzle of the track, from the one touched last on and then from the start."""
    at = [puzzle.id for puzzle in track.puzzles].index(touched or "")
    puzzle = _unsolved(track.puzzles[at:] + track.puzzles[:at], standings)
    if puzzle is None:
        return None
    if track.puzzles.index(puzzle) == at + 1:
        return Next(puzzle, f"It follows {touched}, which you solved.")
    return Next(puzzle, f"It is still open in {track.id}.")


def _in_a_ready_track(catalog: Catalog, standings: Mapping[str, Standing]) -> Next | None:
    """The first open puzzle of a track whose prerequisites are solved; they advise, so failing that of any track."""
    open_tracks = [track for track in catalog.tracks if _unsolved(track.puzzles, standings)]
    if not open_tracks:
        return None
    track = next((track for track in open_tracks if _ready(track, catalog, standings)), open_tracks[0])
    puzzle = _unsolved(track.puzzles, standings)
    assert puzzle is not None
    if not any(standing.attempts for standing in standings.values()):
        return Next(puzzle, "It is the first puzzle.")
    begun = any(_solved(other, standings) for other in track.puzzles)
    return Next(puzzle, f"It is the next one open in {track.id}." if begun else f"It opens the track {track.id}.")


def _ready(track: Track, catalog: Catalog, standings: Mapping[str, Standing]) -> bool:
    solved = {other.id: sum(_solved(puzzle, standings) for puzzle in other.puzzles) for other in catalog.tracks}
    return all(solved.get(before, count) >= count for before, count in track.after.items())


def _with_an_open_star(catalog: Catalog, standings: Mapping[str, Standing]) -> Next:
    """Everything is solved: the first puzzle whose second star is open, else the last one."""
    for puzzle in catalog.puzzles:
        if puzzle.stars.efficient and not standings.get(puzzle.id, Standing()).stars.efficient:
            return Next(puzzle, "Every puzzle is solved; here a star is open.")
    return Next(catalog.puzzles[-1], "Every puzzle is solved.")
