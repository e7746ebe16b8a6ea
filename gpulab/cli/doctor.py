"""`doctor`: what this machine can do."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from gpulab.cli.failure import NOT_PASSED
from gpulab.cli.session import Session, session_command

if TYPE_CHECKING:
    from gpulab.doctor.model import Examination


@session_command("doctor", short_help="What this machine can do, and what to type where it cannot.")
@click.option("--patience", metavar="SECONDS", type=click.FloatRange(1), default=20.0, show_default=True,
              help="How long any one library may take to answer.")
def doctor_command(session: Session, patience: float) -> int:
    """Look at driver, libraries, limits, workspace and terminal. Nothing is changed; what would help is printed.

    Marks: + all right, ^ a warning, x a problem, o not here and not needed (in UTF-8: ● ▲ × ○).
    Exit status: 0 no problem, 1 a problem, 2 a wrong call, 3 this machine's fault.
    """
    from gpulab.doctor.examination import examine
    from gpulab.doctor.machine import Machine
    from gpulab.views.charset import as_given

    _waiting(session, "Looking at this machine. It takes some seconds.")
    found = examine(Machine(environ=dict(as_given()), patience=patience), session.home)
    _waiting(session, "")
    if session.out.json:
        session.out.data(as_data(found))
    else:
        from gpulab.views.doctor import render

        session.out.show(render(found, width=session.out.width, look=session.out.look))
    return 0 if found.well else NOT_PASSED


def as_data(found: Examination) -> dict[str, Any]:
    """As JSON: the checks, and the facts behind them."""
    import msgspec

    facts = msgspec.to_builtins(found.facts, enc_hook=str)  # paths
    return {"version": 1, "well": found.well, "seconds": round(found.seconds, 2), "sections": found.sections,
            "facts": facts}


def _waiting(session: Session, text: str) -> None:
    """One line on a terminal's stderr, gone with the next."""
    if sys.stderr.isatty() and not session.out.json:
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()
