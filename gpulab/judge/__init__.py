"""Judging: from cases, outputs, findings and counters to a Report with one diagnosis."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gpulab.catalog.model import Puzzle
    from gpulab.judge.judging import OnProgress
    from gpulab.judge.report import Report
    from gpulab.judge.session import Learner


def judge_numba(puzzle: Puzzle, file: Path, source: str, learner: Learner, *, seed: int,
                first_failure_only: bool = False, on_progress: OnProgress | None = None) -> Report:
    """See `gpulab.judge.judging.judge_numba`; imported when called, since Reports are read without NumPy too."""
    from gpulab.judge import judging

    return judging.judge_numba(puzzle, file, source, learner, seed=seed, first_failure_only=first_failure_only,
                               on_progress=on_progress)
