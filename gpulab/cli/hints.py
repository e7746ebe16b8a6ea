"""`hint`, `solution`: a push, and the answer."""

from __future__ import annotations

import click

from gpulab.cli.session import Session, session_command, yes_option


@session_command("hint", short_help="One more hint.")
@click.argument("id", required=False)
@click.option("--read", "again", is_flag=True, help="Show those you have read, and no new one.")
def hint_command(session: Session, id: str | None, again: bool) -> None:
    """One more hint, below those you have read. They cost no stars; once it is solved, all are shown."""
    from gpulab.catalog.text import hints

    puzzle, progress = session.puzzle(id), session.workspace.progress
    found, solved = hints(puzzle), progress.solved(puzzle)
    read = progress.hints_read(puzzle)
    if not (again or solved):
        read = progress.read_hint(puzzle, of=len(found))
    open = len(found) if solved else min(read, len(found))
    if session.out.json:
        shown = [{"title": hint.title, "text": hint.text} for hint in found[:open]]
        session.out.data({"version": 1, "puzzle": puzzle.id, "read": open, "of": len(found), "hints": shown,
                          "next": found[open].tells if open < len(found) else None})
    else:
        from gpulab.views.hints import Hints, render

        session.out.line(f"{puzzle.id}  {puzzle.title}", bold=True)
        session.out.show(render(Hints(puzzle, found, read, solved, progress.last(puzzle)), width=session.out.width,
                                look=session.out.look))
    session.warn()


@session_command("solution", short_help="The reference solution (asks before it is solved).")
@click.argument("id", required=False)
@yes_option
def solution_command(session: Session, id: str | None, yes: bool) -> None:
    """The reference solution, and why it works. Before you have solved the puzzle it asks whether you mean it."""
    from gpulab.catalog.text import after, read_text

    puzzle = session.puzzle(id)
    if not session.workspace.progress.solved(puzzle):
        session.confirm(f"{puzzle.id} is not solved yet. Show the reference all the same?", yes)
    source, why = read_text(puzzle.reference), after(puzzle)
    if session.out.json:
        session.out.data({"version": 1, "puzzle": puzzle.id, "source": source, "after": why})
        return
    from gpulab.views.page import Page
    from gpulab.views.rows import heading, row
    from gpulab.views.solved import why as explained

    look, width = session.out.look, session.out.width
    session.out.line(source.rstrip())
    rows = [row(), heading("why it works", width, look), *explained(why, width, look)]
    session.out.show(Page(rows).finished(look).renderable())
