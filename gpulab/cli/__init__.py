"""Every action of gpulab without the app: commands by noun, exit statuses, and JSON.

    group.py     the command `gpulab` itself: what its subcommands are, each imported when it is called
    session.py   what a command works with: options, catalogue, workspace, the puzzle that was meant
    output.py    how a command prints: text, Rich, JSON; colour, ASCII and pipes
    failure.py   what a command ends with when it cannot do its work: one line and a status
    puzzles.py work.py checks.py hints.py authors.py    the commands

Statuses: 0 done or passed, 1 not passed, 2 the command cannot be meant like that, 3 this machine or gpulab
itself is at fault. Errors go to stderr, one line, with what to do.
"""

from __future__ import annotations

import gc
import sys


def main() -> None:
    """The console script."""
    # Collecting garbage while modules are imported finds none and takes a twentieth of the start.
    gc.disable()
    status = _app() if len(sys.argv) == 1 and sys.stdin.isatty() and sys.stdout.isatty() else None
    if status is None:
        from gpulab.cli.group import run

        gc.enable()
        status = run(sys.argv[1:])
    sys.exit(status)


def _app() -> int | None:
    """Bare `gpulab` on a terminal is the app, opened without what reads a command line: that is a tenth of the start.

    None where it cannot be opened: the command then says why. Garbage is looked for again once it is painted.
    """
    from gpulab.catalog.errors import CatalogError
    from gpulab.catalog.loading import load
    from gpulab.workspace import Workspace, WorkspaceError

    try:
        catalog = load()
        workspace = Workspace.open(None, catalog)
    except (CatalogError, WorkspaceError):
        return None
    from gpulab.tui import run
    from gpulab.views.charset import encodes_utf8

    try:
        return run(workspace, catalog, ascii=not encodes_utf8(sys.stdout))
    except Exception:
        from gpulab.cli.group import fault

        return fault()
