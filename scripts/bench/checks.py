"""How long a learner waits: save to verdict in a warm process, and a cold `gpulab check`."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from gpulab.catalog import load
from gpulab.catalog.model import Puzzle
from gpulab.check import Progress, check

TRACKS = ["threads", "shared", "matmul"]
REPEATS = 1
PAUSE = 0.5
"""Seconds between saves, in which the workers make ready for the next: nobody edits faster."""
COLD = 5


def warm(only: list[str]) -> dict[str, Any]:
    """Seconds of a check of each wrong and right file, every case run, by puzzle."""
    seconds: dict[str, Any] = {}
    for puzzle in load().puzzles:
        if puzzle.id not in only and puzzle.track not in only:
            continue
        check(puzzle, puzzle.reference, engine="sim")  # the zygote is up and has the spec's imports
        seconds[puzzle.id] = {
            "wrong": _files(puzzle, sorted((puzzle.folder / "wrong").glob("*.py"))),
            "right": _files(puzzle, [puzzle.reference, *sorted((puzzle.folder / "right").glob("*.py"))]),
        }
    return seconds


def _files(puzzle: Puzzle, files: list[Path]) -> dict[str, list[dict[str, float]]]:
    return {file.name: [_saved(puzzle, file, pause) for pause in [PAUSE] * REPEATS + [0.0]] for file in files}


def _saved(puzzle: Puzzle, file: Path, pause: float) -> dict[str, float]:
    """Seconds from a save to the first verdict and to the report."""
    time.sleep(pause)
    first: list[float] = []
    started = time.perf_counter()

    def see(progress: Progress) -> None:
        if progress.verdict and not first:
            first.append(time.perf_counter() - started)

    check(puzzle, file, engine="sim", on_progress=see)
    report = time.perf_counter() - started
    return {"pause": pause, "first": first[0] if first else report, "report": report}


def cold() -> list[float]:
    """Seconds of `gpulab check shared/pooling` as a whole process."""
    puzzle = next(p for p in load().puzzles if p.id == "shared/pooling")
    seconds = []
    environment = {**os.environ, "NO_COLOR": "1"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # a learner's modules are compiled once
    with tempfile.TemporaryDirectory() as home:
        for _ in range(COLD):
            started = time.perf_counter()
            done = subprocess.run(
                [sys.executable, "-m", "gpulab", "--home", home, "check", puzzle.id, "--file", str(puzzle.reference)],
                env=environment,
                capture_output=True,
                text=True,
            )
            seconds.append(time.perf_counter() - started)
            assert done.returncode == 0, done.stdout + done.stderr
    return seconds
