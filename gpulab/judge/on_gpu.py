"""Judging a Numba puzzle on this machine's GPU. Runs in the judge process, beside a check in the simulator.

The same cases, poisons, guard bands and comparison as there, and what only a GPU can give: a larger case, and many
runs of it, since what depends on chance shows only in some. What a GPU cannot tell is left to the simulator: who
raced with whom, reads out of bounds that do no harm, what a line costs.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from gpulab.catalog.errors import CatalogError
from gpulab.catalog.model import Puzzle
from gpulab.catalog.spec import Bench, Case, Launch, Spec
from gpulab.catalog.specs import cases_of, expected_of, load_spec
from gpulab.judge import sentences
from gpulab.judge.comparison import Mask, differ, tolerance_for
from gpulab.judge.diagnosing import Diagnostician
from gpulab.judge.entry import Source, refuse
from gpulab.judge.judging import Check, OnProgress
from gpulab.judge.report import BudgetLine, Diagnosis, Report, Stars
from gpulab.judge.session import CaseRun, Learner, Started, Step
from gpulab.judge.trial import Court, Trial, _look_beside, arguments, first_index
from gpulab.judge.wording import element, fit, plain, two_numbers
from gpulab.trace.device import Device
from gpulab.trace.model import Counters
from gpulab.trace.values import Value

TIME_LIMIT = 4.0
"""Seconds for one run of one case: a kernel of this size that ends, ends in milliseconds."""

REPEATS = 5
"""Further runs of the larger case."""

LARGER_BYTES = 4 << 20
LARGER_FLOPS = 2e8
"""The larger case is the puzzle's benchmark, cut down to what the judge can check in some 10 ms."""

_SMALL = 256
"""Sizes up to this are not the length of the problem but part of it: taps of a filter, bins of a histogram."""


def judge_on_gpu(puzzle: Puzzle, file: Path, source: str, learner: Learner, *, seed: int,
                 first_failure_only: bool = False, on_progress: OnProgress | None = None) -> Report:
    """As `judge_numba`, on the GPU of the learner's process."""
    check = GpuCheck(puzzle, str(file), Source(source), learner, seed, first_failure_only,
                     on_progress or (lambda step: None))
    try:
        return check.veiled(check.run())
    except CatalogError as error:
        return check.report(sentences.broken_puzzle(puzzle.id, error))


@dataclass
class GpuCheck(Check):
    """One check on the GPU under way."""

    device: Device | None = None

    def run(self) -> Report:
        start = time.perf_counter()
        self.tell(Step("loading your file on the GPU"))
        spec = load_spec(self.puzzle.spec)
        self.cases = [*cases_of(spec, self.puzzle.spec, self.seed), *larger_cases(spec, self.seed)]
        loaded = self.learner.load()
        self.device = loaded.device
        self.seconds["load"] = time.perf_counter() - start
        self.judge_answer(spec, loaded)
        refusal = refuse(spec.puzzle, loaded, self.source)
        if refusal is not None:
            self.cases = []
            return self.report(refusal)
        start = time.perf_counter()
        court = GpuCourt(spec.puzzle, self.learner, self.seed)
        self._try_cases(spec, court)
        self.seconds["run"] = self._took()
        diagnosis = Diagnostician(court, self.source, self.trials).diagnose() if self._faulty() else None
        self.seconds["judge"] = max(0.0, time.perf_counter() - start - self.seconds["run"])
        return self.report(diagnosis, stars=None if diagnosis else Stars(correct=True))

    def _try_cases(self, spec: Spec, court: Court) -> None:
        """Until one stops the process: after an illegal address no context is to be trusted."""
        path = self.puzzle.spec
        for number, case in enumerate(self.cases):
            self._tell(f"case {number + 1} of {len(self.cases)} on the GPU", number)
            trial = court.finish(court.begin(number, case), expected_of(spec, path, case))
            self.trials.append(trial)
            if trial.faults and not self.verdict:
                self.verdict = trial.verdict
            stopped = any(fault.problem is not None for fault in trial.faults.found)
            if stopped or (trial.faults and self.first_failure_only):
                return

    def report(self, diagnosis: Diagnosis | None, counters: Counters | None = None,
               lines: list[BudgetLine] | None = None, stars: Stars | None = None) -> Report:
        """The report with this diagnosis; without one it is passed. What it says of counters is the simulator's."""
        report = super().report(diagnosis and replace(diagnosis, engine="gpu"), counters, lines, stars)
        result = replace(report.engines["sim"], counters={}, compiled={}, rewrites={}, budget=[], device=self.device)
        return replace(report, engines={"gpu": result})


@dataclass(frozen=True)
class GpuCourt(Court):
    """Runs one case on the GPU, and again."""

    def run_with_values(self, trial: Trial, elements: Any, order: int | None = None, findings: bool = False) -> CaseRun:
        """A GPU keeps no record of who wrote what."""
        return CaseRun()

    def _start(self, sent: Mapping[str, Any], launch: Launch | None, **options: Any) -> Started:
        name = self.puzzle.kernel or self.puzzle.host or ""
        return self.learner.start(name, sent, launch, time_limit=min(TIME_LIMIT, self.puzzle.time_limit))

    def _look(self, trial: Trial) -> None:
        """Problems, strays, changed inputs, and that a host function launched a kernel at all."""
        if trial.run.problem is not None:
            trial.faults.add(trial.run.problem.kind, problem=trial.run.problem)
        if not trial.run.arrays:
            return
        _look_beside(trial)
        if self.puzzle.host and trial.run.problem is None and trial.case.elements and not trial.run.runs:
            trial.faults.add("not allowed", words=sentences.no_launch())

    def _run_again(self, trial: Trial) -> None:
        """With the other poison, and the larger case several times: each run is held against the first."""
        sent = arguments(self.puzzle, trial.case, which=1)
        for _ in range(REPEATS if trial.case.tags == LARGER else 1):
            second = self._run(sent, trial.launch)
            if second.problem is not None:
                trial.faults.add(second.problem.kind, problem=second.problem)
            if second.problem is not None or not second.arrays:
                return
            if _same_bits(trial, second):
                continue
            trial.shuffled = {name: second.arrays[name].view() for name in trial.got}
            suspects = {name: self._disagreement(trial, name) for name in trial.got}
            if any(mask.any() for mask in suspects.values()):
                self._blame_chance(trial, suspects)
                return

    def _blame_chance(self, trial: Trial, suspects: Mapping[str, Mask]) -> None:
        """The first poison once more: what is as in the first run depends on the poison, all else on chance."""
        third = self._run(arguments(self.puzzle, trial.case, which=0), trial.launch)
        for name, suspect in suspects.items():
            if name not in third.arrays or not suspect.any():
                continue
            got, now = trial.got[name], third.arrays[name].view()
            tolerance = tolerance_for(self.puzzle, trial.case, got.dtype)
            index = first_index(suspect)
            if not differ(got, now, tolerance).any() and trial.case.outputs[name].initial is None:
                trial.faults.add("uninitialised read", array=name, index=index)
                continue
            words = from_run_to_run(name, index, plain(got[index]), plain(trial.shuffled[name][index]))
            trial.faults.add("race", array=name, index=index, words=words)


def _same_bits(trial: Trial, second: CaseRun) -> bool:
    """Whether the second run left every output as the first did: told in a tenth of the time of a comparison."""
    return all(np.array_equal(trial.run.arrays[name].memory, second.arrays[name].memory) for name in trial.got)


LARGER = "larger"
"""The tag of the case that only the GPU runs."""


def larger_cases(spec: Spec, seed: int) -> list[Case]:
    """The puzzle's benchmark, cut down; none where there is none."""
    bench = spec.puzzle.bench
    if bench is None:
        return []
    ragged = "tile + 1" not in spec.puzzle.exempt and "three blocks" not in spec.puzzle.exempt
    case = bench.make(np.random.Generator(np.random.PCG64([seed, 1 << 21])), **cut_down(bench, ragged))
    case.tags = LARGER
    return [case]


def cut_down(bench: Bench, ragged: bool = False) -> dict[str, int]:
    """Sizes of a benchmark that moves and computes little enough to be checked at once; odd ones where `ragged`."""
    sizes = dict(bench.sizes)
    long = [name for name, size in sizes.items() if size > _SMALL]
    while long and _too_much(bench, sizes):
        name = max(long, key=lambda name: sizes[name])
        sizes[name] //= 2
        long = [name for name, size in sizes.items() if size > _SMALL]
    if ragged:
        sizes |= {name: size - 3 for name, size in sizes.items() if bench.sizes[name] > _SMALL}
    return sizes


def _too_much(bench: Bench, sizes: Mapping[str, int]) -> bool:
    bytes_moved = bench.bytes_moved(**sizes) if bench.bytes_moved else 0
    flops = bench.flops(**sizes) if bench.flops else 0
    return bytes_moved > LARGER_BYTES or flops > LARGER_FLOPS


def from_run_to_run(name: str, index: tuple[int, ...], one: Value, other: Value) -> tuple[str, str, str]:
    """An element that is another in each run."""
    place = element(name, index)
    first, second = two_numbers(one, other)
    return (fit(f"{place} differs from run to run: {first} in one, {second} in another.",
                f"{place} differs from run to run."),
            "The answer depends on which thread or block of the GPU comes first.",
            fit(f"Which threads use {place}, and what makes one wait for the other?",
                "Which threads use it, and what makes one wait for the other?"))
