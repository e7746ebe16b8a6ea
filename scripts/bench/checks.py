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
from gpulab.check import check

REPEATS = 2
COLD = 5


def warm(only: list[str]) -> dict[str, Any]:
    """Seconds of a check of each wrong and right file, every case run, by puzzle."""
    seconds: dict[str, Any] = {}
    for puzzle in load().puzzles:
        if only and puzzle.id not in only and puzzle.track not in only:
            continue
        check(puzzle, puzzle.reference)  # the zygote is up and has the spec's imports
        seconds[puzzle.id] = {
            "wrong": _files(puzzle, sorted((puzzle.folder / "wrong").glob("*.py"))),
            "right": _files(puzzle, [puzzle.reference, *sorted((puzzle.folder / "right").glob("*.py"))]),
        }
    return seconds


def _files(puzzle: Puzzle, files: list[Path]) -> dict[str, list[float]]:
    seconds: dict[str, list[float]] = {}
    for file in files:
        for _ in range(REPEATS):
            started = time.perf_counter()
            check(puzzle, file)
            seconds.setdefault(file.name, []).append(time.perf_counter() - started)
    return seconds


def cold() -> list[float]:
    """Seconds of `gpulab check shared/pooling` as a whole process."""
    puzzle = next(p for p in load().puzzles if p.id == "shared/pooling")
    seconds = []
    with tempfile.TemporaryDirectory() as home:
        for _ in range(COLD):
            started = time.perf_counter()
            done = subprocess.run(
                [sys.executable, "-m", "gpulab", "--home", home, "check", puzzle.id, "--file", str(puzzle.reference)],
                env={**os.environ, "NO_COLOR": "1"},
                capture_output=True,
                text=True,
            )
            seconds.append(time.perf_counter() - started)
            assert done.returncode == 0, done.stdout + done.stderr
    return seconds
