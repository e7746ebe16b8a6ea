"""Timing a Numba puzzle on the GPU, and checking what was timed. Runs in the judge process."""

from __future__ import annotations

import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from gpulab.catalog.errors import CatalogError
from gpulab.catalog.model import Puzzle
from gpulab.catalog.spec import Bench, Case, Launch, Spec
from gpulab.catalog.specs import cases_of, expected_of, load_spec
from gpulab.judge import sentences, stopped
from gpulab.judge.diagnosing import Diagnostician
from gpulab.judge.entry import Source, refuse
from gpulab.judge.judging import Check, OnProgress
from gpulab.judge.on_gpu import GpuCheck, GpuCourt, larger_cases
from gpulab.judge.report import Diagnosis, Report, Stars
from gpulab.judge.session import Learner, Started, Step
from gpulab.judge.trial import Trial, size_of
from gpulab.timing import smi
from gpulab.timing.model import Plan
from gpulab.timing.worth import as_timing
from gpulab.trace.device import Device

TIME_LIMIT = 60.0
"""Seconds for all runs of a timing."""

NEXT_SEED = 1
"""Added to the seed for the inputs that the function is checked with after it was timed."""


def time_on_gpu(puzzle: Puzzle, file: Path, source: str, learner: Learner, *, seed: int,
                first_failure_only: bool = False, on_progress: OnProgress | None = None) -> Report:
    """The file timed at the size of the puzzle's bench, and its result there checked. `Report.timing` is None where
    the puzzle has no bench, or the file is not right at that size."""
    check = Timing(puzzle, str(file), Source(source), learner, seed, first_failure_only,
                   on_progress or (lambda step: None))
    try:
        return check.veiled(check.run())
    except CatalogError as error:
        return check.report(sentences.broken_puzzle(puzzle.id, error))


@dataclass(frozen=True)
class TimedCourt(GpuCourt):
    """Times the one run that it is asked for."""

    plan: Plan = field(default_factory=Plan)

    def _start(self, sent: Mapping[str, Any], launch: Launch | None, **options: Any) -> Started:
        name = self.puzzle.kernel or self.puzzle.host or ""
        return self.learner.start(name, sent, launch, time_limit=TIME_LIMIT, plan=self.plan)

    def _run_again(self, trial: Trial) -> None:
        """It ran a hundred times already."""

    def _look(self, trial: Trial) -> None:
        """A timed run tells no launches."""
        trial.run.runs = trial.run.runs or []
        if trial.run.problem is not None:
            trial.faults.add(trial.run.problem.kind, problem=trial.run.problem)


@dataclass
class Timing(GpuCheck):
    """One timing under way."""

    def run(self) -> Report:
        start = time.perf_counter()
        spec = load_spec(self.puzzle.spec)
        bench = spec.puzzle.bench
        if bench is None:
            return self.report(None, stars=Stars())
        self.tell(Step("making the inputs to be timed with"))
        case = bench.make(np.random.Generator(np.random.PCG64([self.seed, 1 << 22])), **bench.sizes)
        self.cases = [case]
        loaded = self.learner.load()
        self.device = loaded.device
        self.judge_answer(spec, loaded)
        refusal = refuse(spec.puzzle, loaded, self.source)
        if refusal is not None:
            self.cases = []
            return self.report(refusal)
        self.tell(Step("timing on the GPU"))
        report = self._time(spec, bench, case)
        return replace(report, seconds={"timing": time.perf_counter() - start})

    def _time(self, spec: Spec, bench: Bench, case: Case) -> Report:
        plan = plan_of(bench)
        court = TimedCourt(spec.puzzle, self.learner, self.seed, plan=plan)
        begun = court.begin(0, case)
        device = self.device or Device("", "", (0, 0))
        with ThreadPoolExecutor(1) as asking:  # what the machine looks like while it is timed
            seen = asking.submit(smi.look, device.uuid, _ours())
            trial = court.finish(begun, expected_of(spec, self.puzzle.spec, case))
        self.trials.append(trial)
        if trial.faults or trial.run.measured is None:
            return self.report(_told(Diagnostician(court, self.source, self.trials).diagnose(), case))
        unsound = self._once_more(spec)
        if unsound is not None:
            return self.report(unsound)
        timing = as_timing(
            trial.run.measured, plan, device, seen.result(), sizes=bench.sizes, limit=bench.limit, fast=bench.fast,
            elements=case.elements, bytes_moved=plan.copy_bytes, flops=bench.flops(**bench.sizes) if bench.flops else 0)
        return replace(self.report(None, stars=Stars(correct=True)), timing=timing)

    def _once_more(self, spec: Spec) -> Diagnosis | None:
        """Fresh inputs, after all those runs in one process: an answer that was kept shows."""
        court = GpuCourt(spec.puzzle, self.learner, self.seed)
        fresh = larger_cases(spec, self.seed + NEXT_SEED)
        trials = [court.finish(court.begin(number + 1, case), expected_of(spec, self.puzzle.spec, case))
                  for number, case in enumerate(fresh)]
        return Diagnostician(court, self.source, trials).diagnose()


def plan_of(bench: Bench) -> Plan:
    """A copy of the bytes that the problem needs is timed in turn with it."""
    return Plan(copy_bytes=bench.bytes_moved(**bench.sizes) if bench.bytes_moved else 0)


def _ours() -> set[int]:
    """All processes of this check's zygote: the learner's, and those that wait for the next job with a context."""
    zygote = psutil.Process().parent() or psutil.Process()
    return {zygote.pid, *(child.pid for child in zygote.children(recursive=True))}


def _told(diagnosis: Diagnosis | None, case: Case) -> Diagnosis | None:
    """Said of the size that is timed, which no case has."""
    if diagnosis is None:
        return None
    return replace(diagnosis, detail=diagnosis.detail or "This is at the size that is timed, larger than any case.",
                   sizes=case.sizes)


def resources_for(puzzle: Puzzle, file: Path, source: str, learner: Learner, *, seed: int,
                  first_failure_only: bool = False, on_progress: OnProgress | None = None) -> Report:
    """What the compiler tells of the kernel's registers, spills and shared memory, in `Report.timing["resources"]`, and
    what a timing would measure, in `Report.timing["planned"]`.

    No GPU is needed. The argument types are those of the smallest case; `seed` says for which compute capability the
    kernel is compiled: 90 is 9.0. A host function has no resources of its own: None.
    """
    check = Check(puzzle, str(file), Source(source), learner, 0, first_failure_only, on_progress or (lambda step: None))
    try:
        spec = load_spec(puzzle.spec)
        report = check.veiled(_resources(check, spec, divmod(seed, 10)))
    except CatalogError as error:
        return check.report(sentences.broken_puzzle(puzzle.id, error))
    return replace(report, timing={"resources": None, **(report.timing or {}), "planned": planned(spec.puzzle.bench)})


def planned(bench: Bench | None) -> dict[str, Any] | None:
    """What is timed on a GPU, as `Report.timing` names it; None where the puzzle has nothing to time."""
    if bench is None:
        return None
    return {
        "sizes": dict(bench.sizes), "bytes": bench.bytes_moved(**bench.sizes) if bench.bytes_moved else 0,
        "flops": bench.flops(**bench.sizes) if bench.flops else 0, "limit": bench.limit, "fast_asked": bench.fast,
    }


def _resources(check: Check, spec: Spec, capability: tuple[int, int]) -> Report:
    loaded = check.learner.load()
    check.judge_answer(spec, loaded)
    refusal = refuse(spec.puzzle, loaded, check.source)
    if refusal is not None:
        return check.report(refusal)
    if spec.puzzle.kernel is None:
        return check.report(None, stars=Stars())
    court = TimedCourt(spec.puzzle, check.learner, 0, plan=Plan(compile_for=capability))
    case = min(cases_of(spec, check.puzzle.spec, 0), key=size_of)
    run = court.begin(0, case).run.result()
    if run.problem is not None or run.measured is None or run.measured.resources is None:
        return check.report(stopped.problem(run.problem, check.source) if run.problem else None, stars=Stars())
    return replace(check.report(None, stars=Stars()), timing={"resources": asdict(run.measured.resources)})
