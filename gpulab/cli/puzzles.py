"""`list`, `next`, `show`: what there is to solve."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from gpulab.cli.output import short
from gpulab.cli.session import Session, session_command
from gpulab.workspace.records import Standing

if TYPE_CHECKING:
    from gpulab.catalog.model import Puzzle, Track

NEW = Standing()


@session_command("list", short_help="Tracks and puzzles, with your stars.")
def list_command(session: Session) -> None:
    """All tracks and their puzzles, with the stars you have earned."""
    standings = session.workspace.progress.standings()
    if session.out.json:
        tracks = [_track_data(track, standings) for track in session.catalog.tracks]
        session.out.data({"version": 1, "tracks": tracks, "workspace": str(session.workspace.root)})
    else:
        for track in session.catalog.tracks:
            _print_track(session, track, standings)
        session.out.line(f"Workspace: {short(session.workspace.root)}")
    session.warn()


@session_command("next", short_help="The puzzle to go on with, and why.")
def next_command(session: Session) -> None:
    """The puzzle to go on with: what you left unsolved, else the one after it."""
    if session.out.json:
        puzzle, why = session.workspace.progress.next_puzzle(session.catalog)
        standing = session.workspace.progress.standing(puzzle)
        session.out.data({"version": 1, "puzzle": {**_data(puzzle, standing), "summary": puzzle.summary}, "why": why,
                          "file": str(session.workspace.file_for(puzzle)), "workspace": str(session.workspace.root)})
    else:
        print_next(session)
    session.warn()


@session_command("show", short_help="A puzzle's statement.")
@click.argument("id", required=False)
def show_command(session: Session, id: str | None) -> None:
    """What to write, what it may cost, and where your file is."""
    from gpulab.catalog.text import read_text, statement

    puzzle = session.puzzle(id)
    standing = session.workspace.progress.standing(puzzle)
    file = session.workspace.file_for(puzzle)
    if session.out.json:
        session.out.data({"version": 1, **_data(puzzle, standing), **_asked(puzzle), "statement": statement(puzzle),
                          "hunt": puzzle.hunt, "file": str(file), "started": file.exists(), "hints": standing.hints})
        return
    from gpulab.views import brief

    session.out.line(f"{puzzle.id}  {puzzle.title}  {session.out.stars(standing.stars, puzzle)}", bold=True)
    session.out.show(brief.render(puzzle, statement(puzzle), width=session.out.width, look=session.out.look,
                                  file=short(file), stars=standing.stars,
                                  starter=read_text(puzzle.starter) if puzzle.hunt else ""))
    if not file.exists():
        session.out.line(f"Begin: gpulab start {puzzle.id}")


def print_next(session: Session) -> None:
    """The next puzzle for people, with the command that goes on."""
    puzzle, why = session.workspace.progress.next_puzzle(session.catalog)
    standing = session.workspace.progress.standing(puzzle)
    file = session.workspace.file_for(puzzle)
    session.out.line(f"{puzzle.id}  {puzzle.title}  {session.out.stars(standing.stars, puzzle)}", bold=True)
    session.out.line(puzzle.summary)
    session.out.line(why)
    if file.exists():
        session.out.line(f"Your file: {short(file)}   Check it: gpulab check {puzzle.id}")
    else:
        session.out.line(f"Begin: gpulab start {puzzle.id}   Read more: gpulab show {puzzle.id}")


def _print_track(session: Session, track: Track, standings: Mapping[str, Standing]) -> None:
    found = [standings.get(puzzle.id, NEW) for puzzle in track.puzzles]
    solved, earned = sum(standing.solved for standing in found), sum(standing.earned for standing in found)
    progress = f"{solved} of {len(found)} solved, {earned} star{'' if earned == 1 else 's'}"
    session.out.line(f"{track.id:<16} {progress}   {track.tags}", bold=True)
    width = max((len(puzzle.id) for puzzle in track.puzzles), default=0)
    for puzzle, standing in zip(track.puzzles, found, strict=True):
        state = _state(standing)
        session.out.line(f"  {session.out.stars(standing.stars, puzzle):<3}  {puzzle.id:<{width}}  {state}".rstrip())
    session.out.line()


def _state(standing: Standing) -> str:
    """The last verdict in a few words; nothing where it was never checked."""
    if standing.last is None:
        return "opened" if standing.touched else ""
    if standing.solved:
        return "solved" if standing.last.passed else f"solved, last check {standing.last.verdict}"
    return standing.last.verdict + (f" on line {standing.last.line}" if standing.last.line else "")


def _track_data(track: Track, standings: Mapping[str, Standing]) -> dict[str, Any]:
    puzzles = [_data(puzzle, standings.get(puzzle.id, NEW)) for puzzle in track.puzzles]
    return {"id": track.id, "title": track.title, "puzzles": puzzles}


def _data(puzzle: Puzzle, standing: Standing) -> dict[str, Any]:
    return {"id": puzzle.id, "title": puzzle.title, "stars": standing.stars, "verdict": standing.verdict,
            "solved": standing.solved}


def _asked(puzzle: Puzzle) -> dict[str, Any]:
    return {"summary": puzzle.summary, "language": puzzle.language, "minutes": puzzle.minutes, "write": puzzle.write,
            "launched": puzzle.launched, "asked": puzzle.stars}
