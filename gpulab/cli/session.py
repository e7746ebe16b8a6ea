"""What a command works with: its options, and from them the catalogue, the workspace and the puzzle meant."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import cached_property, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gpulab.cli.failure import Failure
from gpulab.cli.output import Output

if TYPE_CHECKING:
    from gpulab.catalog.model import Catalog, Puzzle
    from gpulab.workspace import Workspace

Command = Callable[..., Any]


class Session:
    """One call of `gpulab`. Nothing is read before it is asked for."""

    def __init__(self, home: Path | None = None, *, ascii: bool = False, json: bool = False) -> None:
        self.home = home
        self.out = Output(ascii, json)

    @cached_property
    def catalog(self) -> Catalog:
        from gpulab.catalog.loading import load

        return load()

    @cached_property
    def workspace(self) -> Workspace:
        from gpulab.workspace import Workspace, WorkspaceError

        try:
            return Workspace.open(self.home, self.catalog)
        except WorkspaceError as error:
            raise Failure(str(error)) from None

    def puzzle(self, id: str | None) -> Puzzle:
        """The puzzle with this id, or name where only one has it; without id, the one touched last."""
        from gpulab.catalog.errors import UnknownPuzzle
        from gpulab.catalog.finding import find

        wanted = id or self.workspace.progress.last_touched()
        if wanted is None:
            raise Failure(f"No puzzle was opened yet, so name one: gpulab {_command()} {self.catalog.puzzles[0].id}")
        named = [puzzle for puzzle in self.catalog.puzzles if puzzle.name == wanted]
        if len(named) == 1:
            return named[0]
        try:
            return find(self.catalog, wanted)
        except UnknownPuzzle as unknown:
            raise Failure(str(unknown)) from None

    def puzzles(self, ids: Sequence[str]) -> list[Puzzle]:
        """The puzzles these ids mean: a track's id stands for all of its puzzles, no id for every puzzle."""
        from gpulab.catalog.finding import find_track

        if not ids:
            return list(self.catalog.puzzles)
        chosen: dict[str, Puzzle] = {}
        for id in ids:
            track = find_track(self.catalog, id.rstrip("/"))
            for puzzle in track.puzzles if track else (self.puzzle(id),):
                chosen.setdefault(puzzle.id, puzzle)
        return list(chosen.values())

    def warn(self) -> None:
        """Say on stderr what keeps progress from being recorded."""
        for problem in self.workspace.progress.problems:
            self.out.note(problem)

    def confirm(self, question: str, yes: bool) -> None:
        """Ask, unless `--yes` was given. Without a terminal to ask at, that is the only way."""
        if yes:
            return
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            raise Failure(f"{question} There is no terminal to ask at: add --yes to say so.")
        if not click.confirm(question, err=True):
            raise Failure("Nothing was done.", 1)


def session_command(name: str, **attributes: Any) -> Callable[[Command], click.Command]:
    """`click.command` whose function gets a `Session` first, with the options that every command has."""

    def decorate(function: Command) -> click.Command:
        @wraps(function)
        def called(home: Path | None, ascii: bool, json: bool, **options: Any) -> Any:
            asked: dict[str, Any] = click.get_current_context().find_root().params
            session = Session(home or asked.get("home"), ascii=ascii or bool(asked.get("ascii")), json=json)
            return function(session, **options)

        return click.command(name, click.Command, **attributes)(home_option(ascii_option(json_option(called))))

    return decorate


home_option = click.option("--home", metavar="DIR", type=click.Path(path_type=Path),
                           help="The workspace: your files and your progress.")
ascii_option = click.option("--ascii", is_flag=True, help="Print ASCII only.")
json_option = click.option("--json", is_flag=True, help="Print JSON.")
yes_option = click.option("--yes", is_flag=True, help="Confirm without being asked.")


def _command() -> str:
    return click.get_current_context().info_name or ""
