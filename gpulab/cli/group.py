"""The command `gpulab`: bare, it opens the app; its subcommands are imported when they are called."""

from __future__ import annotations

import os
import re
import sys
from importlib import import_module
from pathlib import Path

import click

from gpulab.cli.failure import ENVIRONMENT, USAGE, Failure
from gpulab.cli.output import error
from gpulab.cli.session import Session, ascii_option, home_option

COMMANDS = {
    "list": "puzzles",
    "next": "puzzles",
    "show": "puzzles",
    "start": "work",
    "check": "checks",
    "watch": "checks",
    "view": "pictures",
    "bench": "timings",
    "hint": "hints",
    "solution": "hints",
    "reset": "work",
    "export": "work",
    "import": "work",
    "doctor": "doctor",
    "new": "authors",
    "verify": "authors",
}
"""Command -> module of this package, in the order of the help. The function is called `<command>_command`."""


class Group(click.Group):
    """Imports a command's module when the command is asked for, so that `gpulab list` stays quick."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"gpulab.cli.{COMMANDS[name]}"), f"{name}_command")
        return command

    def resolve_command(
        self, context: click.Context, arguments: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if arguments[0] not in COMMANDS and not arguments[0].startswith("-"):
            from gpulab.catalog.errors import did_you_mean

            raise Failure(f"There is no command {arguments[0]}. {did_you_mean(arguments[0], COMMANDS)}")
        return super().resolve_command(context, arguments)


@click.group(cls=Group, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@home_option
@ascii_option
@click.option("--version", is_flag=True, help="Print the version.")
@click.pass_context
def gpulab(context: click.Context, home: Path | None, ascii: bool, version: bool) -> int | None:
    """Learn GPU programming by solving puzzles. Without a command, the app opens.

    An ID is track/puzzle, as gpulab list prints it; without one, the puzzle you were at.
    """
    if version:
        from gpulab import __version__

        click.echo(f"gpulab {__version__}")
        return None
    return _open(Session(home, ascii=ascii)) if context.invoked_subcommand is None else None


def _open(session: Session) -> int:
    """The app; without a terminal, what the app would begin with."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        import gc

        from gpulab.tui import run
        from gpulab.views.charset import encodes_utf8

        gc.disable()  # until the first paint is over: there is no garbage before, and looking for it takes long

        return run(session.workspace, session.catalog, ascii=session.out.ascii or not encodes_utf8(sys.stdout))
    from gpulab.cli.puzzles import print_next

    session.out.line("The app needs a terminal, and this is none. Everything it does is a command too: gpulab --help")
    session.out.line()
    print_next(session)
    for problem in session.workspace.problems:
        session.out.note(problem)
    return 0


def run(arguments: list[str]) -> int:
    """Call `gpulab` with these arguments; its exit status."""
    try:
        status = _run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read has what they wanted (`gpulab list | head`); Python would complain once more at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return status


def _run(arguments: list[str]) -> int:
    from gpulab.catalog.errors import CatalogError

    try:
        status = gpulab.main(arguments, "gpulab", standalone_mode=False)
        return status if isinstance(status, int) else 0
    except Failure as failure:
        error(failure.message)
        return failure.status
    except CatalogError as broken:
        error(str(broken))
        return ENVIRONMENT
    except click.Abort:
        click.echo(err=True)
        return 130
    except click.ClickException as refusal:
        error(f"{_refusal(refusal)} {_usage(refusal)}")
        return USAGE
    except BrokenPipeError:
        raise
    except Exception:
        return fault()


def fault() -> int:
    """Say what happened, within an `except`; the status of a fault of ours."""
    import traceback

    traceback.print_exc()
    error("This is a fault of gpulab, not of yours. Please report it with the text above.")
    return ENVIRONMENT


def _refusal(refusal: click.ClickException) -> str:
    """Click's words as a sentence."""
    words = refusal.format_message().strip()
    extra = re.fullmatch(r"Got unexpected extra arguments? \((?P<given>.*)\)\.?", words)
    if extra is not None:
        return f"There is more than the command takes: {extra['given']}."
    return words if words.endswith((".", "?", "!")) else f"{words}."


def _usage(refusal: click.ClickException) -> str:
    """Where to read how the command is used."""
    context = refusal.ctx if isinstance(refusal, click.UsageError) else None
    return f"Type {context.command_path if context else 'gpulab'} --help."
