"""A judge and an engine of a few lines, so that the processes can be tested by themselves.

Both run where the real ones do: the judge in the judge process, the engine in the learner's.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gpulab.catalog.model import Puzzle
from gpulab.catalog.spec import Launch
from gpulab.check import Progress
from gpulab.judge.memory import Placed, place
from gpulab.judge.report import Diagnosis, Report, Stars
from gpulab.judge.session import Problem
from gpulab.runner.answers import HostRecord, Options
from gpulab.runner.learner import LearnerSession
from gpulab.trace.model import Finding, Note, Run

ONE = Launch((1,), (1,))


def judge(puzzle: Puzzle, file: Path, source: str, learner: LearnerSession, *, seed: int, first_failure_only: bool,
          on_progress: Callable[[Progress], None], factors: Sequence[int] = (1, 2)) -> Report:
    """Load the file, call its `kernel` or `host` twice with fresh arrays, and report what came back."""
    on_progress(Progress("case 1 of 2", 1, 2))
    loaded = learner.load()
    problem = loaded.problem
    notes = [Note("parameters", f"{f.name} {f.kind} {' '.join(f.parameters)}", f.line or 0)
             for f in loaded.functions.values()]
    for factor in factors if problem is None else ():
        problem = problem or _run(learner, "kernel" if "kernel" in loaded.functions else "host", factor, notes)
    diagnosis = problem and Diagnosis(problem.kind, problem.message, line=problem.line, traceback=problem.traceback)
    return Report(puzzle.id, str(file), problem.kind if problem else "passed", Stars(problem is None), seed,
                  diagnosis=diagnosis, notes=notes)


def _run(learner: LearnerSession, name: str, factor: int, notes: list[Note]) -> Problem | None:
    a = place(np.arange(12, dtype=np.float32).reshape(3, 4)[:, ::2] * factor)
    out = place(np.full((3, 2), np.nan, np.float32))
    run = learner.run(name, {"out": out, "a": a, "n": np.int64(3)}, ONE if name == "kernel" else None,
                      time_limit=1.0)
    notes += [Note("finding", finding.message, finding.line) for one in run.runs for finding in one.findings]
    if run.problem:
        return run.problem
    left = run.arrays["out"]
    if left.outside_changed(out) or run.arrays["a"].outside_changed(a):
        return Problem("out of bounds", "guard bands changed")
    if not np.array_equal(left.view(), a.view() + 1):
        return Problem("wrong answer", f"got {left.view().tolist()}")
    return None


def judge_of_eight_runs(*args: Any, **options: Any) -> Report:
    return judge(*args, **options, factors=range(1, 9))


def judge_that_raises(*args: Any, **options: Any) -> Report:
    raise ValueError("the judge is broken")


def judge_that_dies(*args: Any, **options: Any) -> Report:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def judge_that_kills_the_zygote(*args: Any, **options: Any) -> Report:
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(60)
    raise AssertionError


def judge_that_hangs(puzzle: Puzzle, file: Path, source: str, learner: LearnerSession, *,
                     on_progress: Callable[[Progress], None], **options: Any) -> Report:
    on_progress(Progress("hanging"))
    learner.load()
    time.sleep(60)
    raise AssertionError


def prepare() -> bool:
    return False


def launch(kernel: Any, launch: Launch, arguments: list[Any], options: Options) -> Run:
    """One thread, in plain Python."""
    kernel.py_func(*arguments)
    return Run("kernel", (1, 1, 1), (1, 1, 1), findings=[Finding("race", "seen", np.int64(3))])  # type: ignore[arg-type]


def call(function: Callable[..., object], arguments: list[Any], options: Options, record: HostRecord) -> None:
    function(*arguments)


__all__ = ["Placed"]


def judge_of_the_unwritable(puzzle: Puzzle, file: Path, source: str, learner: LearnerSession, **options: Any) -> Report:
    """A report that cannot cross the wire."""
    return Report(puzzle.id, str(file), "passed", Stars(True), 1, notes=[object()])  # type: ignore[list-item]
