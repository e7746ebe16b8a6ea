"""The report as plain text, for another person: on the clipboard and in a file."""

from __future__ import annotations

import io
from pathlib import Path

from gpulab.catalog.model import Puzzle
from gpulab.judge.report import Report

WIDTH = 80


def as_text(report: Report, puzzle: Puzzle) -> str:
    """What Result shows, in ASCII, with the whole source below it."""
    from rich.console import Console

    from gpulab.views.look import PLAIN
    from gpulab.views.result import render

    stream = io.StringIO()
    console = Console(file=stream, width=WIDTH, color_system=None, force_terminal=False)
    console.print(f"gpulab {report.puzzle}, seed {report.seed}, {report.when}\n")
    console.print(render(report, width=WIDTH, ascii=True, look=PLAIN, puzzle=puzzle))
    lines = "".join(f"{line.rstrip()}\n" for line in stream.getvalue().splitlines())
    numbered = "".join(f"{number:>3} | {line}\n" for number, line in enumerate(report.source.splitlines(), start=1))
    return f"{lines}\n{report.file}\n{numbered}"


def write(report: Report, root: Path, puzzle: Puzzle) -> Path:
    """Write the text below the workspace and return its path. Raises OSError."""
    path = root / "reports" / f"{report.puzzle.replace('/', '-')}.txt"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(as_text(report, puzzle), encoding="utf-8")
    return path
