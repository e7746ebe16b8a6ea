"""A learner's file run in this process by the real simulator: fast enough for many judgements in one test."""

from __future__ import annotations

import itertools
import time
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from gpulab.catalog.model import Puzzle, StarTexts
from gpulab.catalog.spec import Launch
from gpulab.judge.judging import judge_numba
from gpulab.judge.memory import Placed
from gpulab.judge.report import Report
from gpulab.judge.session import CaseRun, Done, HostRecord, Loaded
from gpulab.runner import simulator
from gpulab.runner.answers import Options
from gpulab.runner.loading import LearnerFile, answer_of, functions_of, load, problem_of

_numbers = itertools.count()


class LocalLearner:
    """A `gpulab.judge.session.Learner` without a process of its own; what it was asked is kept in `asked`."""

    def __init__(self, file: Path, engine: Any = simulator) -> None:
        self.file = file
        self.engine = engine
        self.module: ModuleType | None = None
        self.asked: list[dict[str, Any]] = []

    def load(self) -> Loaded:
        """Import the file."""
        self.module, problem = load(LearnerFile(self.file, self.file.read_bytes()))
        answer = answer_of(self.module) if self.module else None
        return Loaded(functions_of(self.module) if self.module else {}, problem, answer=answer)

    def start(self, *arguments: Any, **options: Any) -> Done:
        """Run one case now."""
        return Done(self.run(*arguments, **options))

    def run(self, function: str, arguments: Mapping[str, Placed | Any], launch: Launch | None,
            **options: Any) -> CaseRun:
        """Run one case on copies of the arguments."""
        self.asked.append(options)
        start = time.perf_counter()
        own = {name: value.copy() if isinstance(value, Placed) else value for name, value in arguments.items()}
        values = [value.view() if isinstance(value, Placed) else value for value in own.values()]
        record = HostRecord()
        target = getattr(self.module, function)

        def work() -> None:
            if launch is None:
                self.engine.call(target, values, Options(**options), record)
            else:
                record.runs.append(self.engine.launch(target, launch, values, Options(**options)))

        problem = problem_of(work, self.file, ours=launch is not None)
        arrays = {name: value for name, value in own.items() if isinstance(value, Placed)}
        return CaseRun(arrays, record.runs, problem, time.perf_counter() - start, None if launch else record)


def puzzle_of(folder: Path, spec: str) -> Puzzle:
    """A puzzle in `folder` with this text as its spec.py."""
    home = folder / f"puzzle{next(_numbers)}" / "one"
    home.mkdir(parents=True)
    (home / "spec.py").write_text(spec)
    return Puzzle("test/one", "One", "Do it.", "numba", 5, "f(out, a, n)", "f[blocks, 64]", StarTexts("right"), home,
                  home / "reference.py")


def judge(puzzle: Puzzle, source: str, seed: int = 71, engine: Any = simulator, **options: Any) -> Report:
    """The report on a learner's file with this text."""
    file = puzzle.folder / f"learner{next(_numbers)}.py"
    file.write_text(source)
    return judge_numba(puzzle, file, source, LocalLearner(file, engine), seed=seed, **options)
