"""`start`, `reset`, `export`, `import`: the learner's files and progress."""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import TypeVar

import click

from gpulab.cli.failure import ENVIRONMENT, USAGE, Failure
from gpulab.cli.output import short
from gpulab.cli.session import Session, session_command, yes_option
from gpulab.workspace.errors import WorkspaceError

T = TypeVar("T")


@session_command("start", short_help="Copy the starter into your workspace.")
@click.argument("id", required=False)
def start_command(session: Session, id: str | None) -> None:
    """Copy a puzzle's starter into your workspace, never over your work, and print its path."""
    puzzle = session.puzzle(id or session.workspace.progress.next_puzzle(session.catalog).puzzle.id)
    existed = session.workspace.source(puzzle)
    file = _done(lambda: session.workspace.start(puzzle))
    if session.out.json:
        session.out.data({"version": 1, "puzzle": puzzle.id, "file": str(file), "created": not existed,
                          "workspace": str(session.workspace.root)})
    else:
        session.out.line(str(file))
        begun = "Your file was there already and is as you left it." if existed else f"{puzzle.summary}"
        session.out.note(f"{puzzle.id}: {begun} Edit it, then: gpulab check {puzzle.id}")
    for problem in session.workspace.problems:
        session.out.note(problem)


@session_command("reset", short_help="Begin a puzzle again; your file is kept as a backup.")
@click.argument("id", required=False)
@yes_option
def reset_command(session: Session, id: str | None, yes: bool) -> None:
    """Put the starter back. What you wrote is moved to the workspace's backups, and the path printed."""
    puzzle = session.puzzle(id)
    source = session.workspace.source(puzzle)
    if source and source != puzzle.starter.read_text(encoding="utf-8"):
        session.confirm(f"Put the starter of {puzzle.id} back? Your file is kept as a backup.", yes)
    backup = _done(lambda: session.workspace.reset(puzzle))
    file = session.workspace.file_for(puzzle)
    if session.out.json:
        session.out.data({"version": 1, "puzzle": puzzle.id, "file": str(file),
                          "backup": str(backup) if backup else None, "workspace": str(session.workspace.root)})
    else:
        session.out.line(str(file))
        kept = f"Your file is kept as {backup}" if backup else "There was nothing to keep."
        session.out.note(f"{puzzle.id} is at its starter. {kept}")
    session.warn()


@session_command("export", short_help="Your files and progress as one JSON file.")
@click.option("--output", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False),
              help="Write it there; - prints it.")
def export_command(session: Session, output: Path | None) -> None:
    """Everything in your workspace as JSON: progress, reports and files. gpulab import reads it, anywhere.

    At a terminal it goes to a new file of this folder, in a pipe to the pipe.
    """
    from gpulab.workspace.archive import export
    from gpulab.workspace.files import write_atomically

    archive = _done(lambda: export(session.workspace))
    if output is None and sys.stdout.isatty():
        output = _new_file()
    if output is None or str(output) == "-":
        session.out.raw(archive)
        return
    try:
        write_atomically(output, archive)
    except OSError as error:
        raise Failure(f"{output} cannot be written ({error.strerror}): choose another file.") from None
    if session.out.json:
        session.out.data({"version": 1, "file": str(output)})
    else:
        session.out.line(f"{session.workspace.root} is in {output}. Elsewhere: gpulab import {output}")


def _new_file() -> Path:
    """A name in this folder that nobody has: nothing of 100 KB is poured over a terminal."""
    from datetime import date

    name = f"gpulab-{date.today():%Y-%m-%d}"
    names = (f"{name}.json" if number == 1 else f"{name}-{number}.json" for number in count(1))
    return next(path for path in map(Path, names) if not path.exists())


@session_command("import", short_help="Merge what gpulab export wrote.")
@click.argument("file", type=click.Path(path_type=Path))
def import_command(session: Session, file: Path) -> None:
    """Merge an exported file (- for stdin). Nothing is lost or replaced, and importing twice changes nothing."""
    from gpulab.workspace.archive import import_into

    try:
        text = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    except OSError as error:
        raise Failure(f"{file} cannot be read ({error.strerror}): check the path.") from None
    imported = _done(lambda: import_into(session.workspace, text), status=_import_status(session))
    if session.out.json:
        session.out.data({"version": 1, "attempts": imported.attempts, "files": [str(path) for path in imported.files],
                          "beside": [str(path) for path in imported.beside], "workspace": str(session.workspace.root)})
        return
    session.out.line(f"{imported.attempts} new checks and {len(imported.files)} new files are now in "
                     f"{short(session.workspace.root)}.")
    for path in imported.beside:
        session.out.line(f"Yours was kept; the imported one, which differs, is {short(path)}")


def _import_status(session: Session) -> Callable[[], int]:
    """A disk that refuses is the machine's fault; a file that is no archive is the call's."""
    return lambda: USAGE if session.workspace.progress.recording else ENVIRONMENT


def _done(action: Callable[[], T], status: Callable[[], int] = lambda: ENVIRONMENT) -> T:
    try:
        return action()
    except WorkspaceError as error:
        raise Failure(str(error), status()) from None
