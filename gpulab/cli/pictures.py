"""`view`: what the kernel did to memory, drawn."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gpulab.cli.checks import StageLine, file_option, file_to_check, warm_worker
from gpulab.cli.failure import ENVIRONMENT, NOT_PASSED, USAGE, Failure
from gpulab.cli.output import short
from gpulab.cli.session import Session, session_command

if TYPE_CHECKING:
    from gpulab.catalog.model import Puzzle
    from gpulab.judge.drawing import Drawing
    from gpulab.views.scene import Scene

WHAT = ("source", "memory", "banks", "barriers")

MOST_COLUMNS = 120
"""A picture has no more to show in a wider window."""


@dataclass(frozen=True)
class Wanted:
    """What is to be drawn; None where the view itself begins somewhere telling. Launches and steps count from 1."""

    what: str
    launch: int | None
    block: int | None
    warp: int | None
    step: int | None
    thread: int | None
    cells: bool | None
    cell: int | None


@session_command("view", short_help="Draw what your kernel does to memory.")
@click.argument("id", required=False)
@file_option
@click.option("--what", type=click.Choice(WHAT), default="source", help="Which view; source without it.")
@click.option("--launch", metavar="N", type=int, help="Of several launches, the N-th; the first without it.")
@click.option("--block", metavar="B", type=int, help="A block by its number, from 0.")
@click.option("--warp", metavar="W", type=int, help="A warp of the block, from 0.")
@click.option("--step", metavar="N", type=int, help="A step of the warp, from 1; of barriers, an interval.")
@click.option("--thread", metavar="T", type=int, help="A thread of the block, to be marked.")
@click.option("--cells/--sectors", default=None, help="memory: the array as cells by block, or as sectors.")
@click.option("--cell", metavar="C", type=click.IntRange(0), help="barriers: the first cell to draw.")
@click.option("--seed", type=click.IntRange(0), help="Numbers of an earlier check; the last one's without it.")
def view_command(session: Session, id: str | None, file: Path | None, seed: int | None, **wanted: Any) -> int:
    """Run a small case of the puzzle and draw what every line of your kernel did.

    source: loads, stores, sectors and conflicts by line. memory: one step, 32 lanes over memory. banks: one step over
    the banks of shared memory. barriers: shared memory in time.

    Exit status: 0 drawn, 1 the file cannot be run, 2 a wrong call, 3 this machine's fault.
    """
    warm_worker(once=True, id=id)
    from gpulab.check import draw

    puzzle = session.puzzle(id)
    path = file_to_check(session, puzzle, file)
    seed = _seed(session, puzzle) if seed is None else seed
    stage = StageLine(session)
    try:
        drawing = draw(puzzle, path, seed=seed, on_progress=stage.show)
    finally:
        stage.clear()
    _show(session, puzzle, drawing, Wanted(**wanted))
    if file is None and session.workspace.progress.last(puzzle) is None:
        session.out.note(f"Not checked yet, so the numbers are new ones. Check: gpulab check {puzzle.id}")
    session.warn()
    return 0


def _seed(session: Session, puzzle: Puzzle) -> int | None:
    """The last report's; without one a new seed is drawn."""
    last = session.workspace.progress.last(puzzle)
    return last.seed if last is not None else None


def _show(session: Session, puzzle: Puzzle, drawing: Drawing, wanted: Wanted) -> None:
    scene = _scene(drawing, wanted)
    launch = 1 if wanted.launch is None else wanted.launch
    if session.out.json:
        from gpulab.views.instrument_data import data

        session.out.data({"version": 1, "puzzle": puzzle.id, "file": drawing.report.file, "seed": drawing.report.seed,
                          "sizes": drawing.sizes, "verdict": drawing.report.verdict,
                          "launch": launch, "launches": len(drawing.launches), **data(wanted.what, scene)})
        return
    _print(session, puzzle, drawing, scene, wanted)


def _print(session: Session, puzzle: Puzzle, drawing: Drawing, scene: Scene, wanted: Wanted) -> None:
    from gpulab.views import figures
    from gpulab.views.instrument import page

    report, run = drawing.report, scene.run
    width = min(MOST_COLUMNS, shutil.get_terminal_size((80, 24)).columns)
    grid, block = (figures.extent(size) for size in (run.blocks, run.threads))
    about = [f"{run.kernel}[{grid}, {block}]", figures.sizes(drawing.sizes), f"seed {report.seed}"]
    if len(drawing.launches) > 1:
        about.insert(1, f"launch {wanted.launch or 1} of {len(drawing.launches)}")
    if not report.passed:
        about.append(report.verdict)
    session.out.line(f"{puzzle.id}  {short(Path(report.file))}", bold=True)
    session.out.line("  " + "  ".join(filter(None, about)))
    drawn = page(wanted.what, scene, width, session.out.look, cells=wanted.cells, first_cell=wanted.cell)
    session.out.show(drawn.renderable(), width)


def _scene(drawing: Drawing, wanted: Wanted) -> Scene:
    """The launch that is wanted, at the position that is wanted. Raises `Failure` in one line for what is not there."""
    from gpulab.trace.walking import NotThere
    from gpulab.views.instrument import missing
    from gpulab.views.scene import Scene

    report = drawing.report
    if not drawing.drawn:
        message = report.diagnosis.message if report.diagnosis else f"It ended with: {report.verdict}."
        at = report.diagnosis.line if report.diagnosis else None
        where = f" (line {at})" if at is not None and f"line {at}" not in message.lower() else ""
        status = ENVIRONMENT if report.verdict == "environment" else NOT_PASSED
        raise Failure(f"Nothing to draw, {report.verdict}{where}: {message}", status)
    number = 1 if wanted.launch is None else wanted.launch
    if not 1 <= number <= len(drawing.launches):
        raise Failure(f"There is no launch {number}: your file launches {_times(len(drawing.launches))}.")
    run = drawing.launches[number - 1]
    if run.picture is None:
        raise Failure(f"Launch {number} was not kept: choose another.")
    scene = Scene(run, report.source, elements=drawing.elements, report=report)
    nothing = missing(wanted.what, scene)
    if nothing is not None:
        raise Failure(nothing, USAGE if any(warp.steps for warp in run.picture.warps) else NOT_PASSED)
    try:
        return _placed(scene, wanted)
    except NotThere as absent:
        raise Failure(str(absent)) from None


def _times(count: int) -> str:
    return "once" if count == 1 else "twice" if count == 2 else f"{count} times"


def _placed(scene: Scene, wanted: Wanted) -> Scene:
    """The scene at block, warp, step and thread. Raises `NotThere`."""
    from gpulab.views.instrument import opening, positioned

    start = opening(wanted.what, scene, wanted.block)
    return scene.at(positioned(wanted.what, scene.at(start), wanted.warp, wanted.step, wanted.thread))
