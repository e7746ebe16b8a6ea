"""`bench`: how fast, on this machine's GPU."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gpulab.cli.checks import StageLine
from gpulab.cli.failure import ENVIRONMENT, NOT_PASSED, Failure
from gpulab.cli.session import Session, session_command

if TYPE_CHECKING:
    from gpulab.catalog.model import Puzzle
    from gpulab.judge.report import Report


@dataclass
class Row:
    """One puzzle's timings."""

    puzzle: Puzzle
    reference: Report
    yours: Report | None = None


@session_command("bench", short_help="Time reference, baseline and your solution on the GPU.")
@click.argument("ids", metavar="[ID]...", nargs=-1)
@click.option("--file", metavar="F", type=click.Path(path_type=Path), help="Time this file instead of yours.")
@click.option("--for", "target", metavar="CC", help="No GPU needed: what the compiler tells for a GPU of this compute "
                                                    "capability (9.0).")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Of the inputs.")
def bench_command(session: Session, ids: tuple[str, ...], file: Path | None, target: str | None, seed: int) -> int:
    """Time the reference, a copy of as many bytes, and your file where there is one, each checked at that size.

    A track's id stands for all of its puzzles, no ID for every puzzle. Puzzles with nothing to time are left out. With
    --for nothing is timed: registers, spills, shared memory and occupancy are told, where NVVM and NVRTC are found.
    Exit status: 0 all good, 1 something was wrong, or too slow for the star, 2 a wrong call, 3 no GPU to time on.
    """
    from gpulab.engines.gpu.presence import looks_present

    puzzles = session.puzzles(ids)
    if file is not None and len(puzzles) != 1:
        raise Failure("--file goes with one ID.")
    if file is not None and not file.is_file():
        raise Failure(f"There is no file {file}: check the path.")
    if target is not None:
        return _tell_resources(session, puzzles, file, _capability(target))
    if not looks_present():
        raise Failure("This machine has no GPU to time on. gpulab doctor says what it has.", ENVIRONMENT)
    rows = _time_all(session, puzzles, file, seed)
    if session.out.json:
        session.out.data(as_data(rows))
    else:
        _print(session, rows)
    if any(row.reference.verdict == "environment" for row in rows):
        return ENVIRONMENT
    return 0 if all(_well(row) for row in rows) else NOT_PASSED


def _capability(text: str) -> tuple[int, int]:
    major, dot, minor = text.partition(".")
    if not (major.isdigit() and dot and len(minor) == 1 and minor.isdigit()):
        raise Failure(f"{text} is no compute capability: --for 9.0 is an H100's or H200's.")
    return int(major), int(minor)


def _tell_resources(session: Session, puzzles: list[Puzzle], file: Path | None, capability: tuple[int, int]) -> int:
    """The compiler's answer for each kernel puzzle: the file, or reference and yours."""
    from gpulab.check import resources_of
    from gpulab.views.timing import resources

    found, status = [], 0
    for puzzle in puzzles:
        yours = session.workspace.file_for(puzzle)
        files = {"yours": file} if file else {"reference": puzzle.reference,
                                              **({"yours": yours} if yours.is_file() else {})}
        for name, path in files.items():
            report = resources_of(puzzle, path.absolute(), capability)
            told = (report.timing or {}).get("resources")
            problem = report.diagnosis.message if report.diagnosis else None
            if report.passed and not told:
                continue  # a host function
            found.append({"id": puzzle.id, "file": name, "verdict": report.verdict, "problem": problem,
                          "resources": told})
            status = max(status, 0 if told else ENVIRONMENT if report.verdict == "environment" else NOT_PASSED)
            if not session.out.json:
                session.out.line(f"{puzzle.id}  {name}" + (f": {problem}" if problem else ""), bold=True)
                for shown in resources(told, session.out.look):  # type: ignore[arg-type]  # JSON's own types
                    session.out.show(shown)
        if status == ENVIRONMENT:
            break
    if session.out.json:
        session.out.data({"version": 1, "for": list(capability), "puzzles": found})
    return status


def _time_all(session: Session, puzzles: list[Puzzle], file: Path | None, seed: int) -> list[Row]:
    rows = []
    for puzzle in puzzles:
        reference = _time(session, puzzle, puzzle.reference, seed)
        if reference.passed and reference.timing is None:
            continue  # nothing to time
        row = Row(puzzle, reference)
        yours = file or session.workspace.file_for(puzzle)
        if yours.is_file() and reference.passed:
            row.yours = _time(session, puzzle, yours.absolute(), seed)
        rows.append(row)
        if reference.verdict == "environment":
            break  # it would be no better for the next
    return rows


def _time(session: Session, puzzle: Puzzle, file: Path, seed: int) -> Report:
    from gpulab.check import time_file

    stage = StageLine(session)
    try:
        return time_file(puzzle, file, seed=seed, on_progress=stage.show, cards=session.workspace.root)
    finally:
        stage.clear()


def _well(row: Row) -> bool:
    """Whether the reference is right, earns its star where there is one, and its time can be true."""
    timing = row.reference.timing
    return row.reference.passed and timing is not None and not timing["rejected"] and timing["fast"] is not False


def as_data(rows: list[Row]) -> dict[str, Any]:
    """As JSON: device and card once, then what was timed by puzzle."""
    first = next((row.reference.timing for row in rows if row.reference.timing), None) or {}
    return {"version": 1, "device": first.get("device"), "card": first.get("card"), "puzzles": [
        {"id": row.puzzle.id, "reference": _timing(row.reference), "yours": row.yours and _timing(row.yours)}
        for row in rows]}


def _timing(report: Report) -> dict[str, Any]:
    """The timing without device and card, or the verdict that stood in its way."""
    told = {key: value for key, value in (report.timing or {}).items() if key not in ("device", "card")}
    problem = report.diagnosis.message if report.diagnosis else None
    return {"verdict": report.verdict, "problem": problem, "seconds": report.seconds.get("total"), **told}


def _print(session: Session, rows: list[Row]) -> None:
    from gpulab.views import timing

    look = session.out.look
    if not rows:
        session.out.line("There is nothing to time here.")
    for row in rows:
        session.out.line(row.puzzle.id, bold=True)
        for name, report in (("reference", row.reference), ("yours", row.yours)):
            if report is None:
                continue
            if report.timing is None:
                why = report.diagnosis.message if report.diagnosis else ""
                session.out.line(f"  {name}: {report.verdict}. {why}")
                continue
            session.out.line(f"  {name}")
            for shown in timing.rows(report.timing, look):
                session.out.show(shown)
