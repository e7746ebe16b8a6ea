"""One case: run, run again with another poison and another order of blocks, compared."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gpulab.catalog.spec import Case, Launch, NumbaPuzzle
from gpulab.judge import hosting, poison
from gpulab.judge.comparison import Array, Mask, differ, tolerance_for, wrong_elements
from gpulab.judge.faults import Faults
from gpulab.judge.filling import filled_otherwise
from gpulab.judge.memory import Placed, place, place_empty
from gpulab.judge.session import CaseRun, Learner, Started
from gpulab.trace.counters import Counting
from gpulab.trace.values import Element

FATAL = ("crashed", "timed out", "does not compile", "unsupported", "environment", "not allowed")
"""What ends a check: no other case can run, would tell anything else, or would be over sooner."""

NOT_RUN = ("unsupported", "environment", "not allowed")
"""Problems after which the outputs say nothing about the learner's code: it did not run to its end, or was stopped."""

MOST_RECORDED = 300_000
"""Executions of a case whose values are recorded: some tenths of a second."""


@dataclass
class Trial:
    """One case and what came of it. Masks and arrays are by output name."""

    number: int
    case: Case
    launch: Launch | None
    expected: Mapping[str, Array]
    sent: dict[str, Placed]
    """The arrays as the first run was given them."""
    run: CaseRun
    faults: Faults = field(default_factory=Faults)
    got: dict[str, Array] = field(default_factory=dict)
    wrong: dict[str, Mask] = field(default_factory=dict)
    """Where an output is wrong or was not written, whatever the verdict."""
    unwritten: dict[str, Mask] = field(default_factory=dict)
    shuffled: dict[str, Array] = field(default_factory=dict)
    """Outputs of the second run."""

    @property
    def verdict(self) -> str:
        """The verdict on this case alone."""
        fault = self.faults.first
        return fault.kind if fault else "passed"

    @property
    def fatal(self) -> bool:
        """Whether no further case need run."""
        return any(fault.kind in FATAL and (fault.problem or fault.finding) for fault in self.faults.found)

    @property
    def out_of_time(self) -> bool:
        """Whether it was stopped because all cases together took too long."""
        return any(fault.problem is not None and fault.problem.of_all_cases for fault in self.faults.found)

    @property
    def wrong_count(self) -> int:
        """How many elements are wrong; all of them where nothing came back."""
        if not self.wrong:
            return self.case.elements if self.run.problem else 0
        return sum(int(np.count_nonzero(mask)) for mask in self.wrong.values())

    @property
    def numbers_right(self) -> bool:
        """Whether every element is right, sound or not."""
        return bool(self.wrong) and self.wrong_count == 0

    @property
    def executions(self) -> int:
        """Lines run by all threads together."""
        return sum(int(run.counters.totals.get("executions", 0)) for run in self.run.runs)

    @property
    def size(self) -> int:
        """See `size_of`: smaller cases are shown first."""
        return size_of(self.case)


@dataclass(frozen=True)
class Begun:
    """A case whose first run was asked for."""

    number: int
    case: Case
    launch: Launch | None
    sent: Mapping[str, Any]
    run: Started


@dataclass(frozen=True)
class Court:
    """What all cases of one check share."""

    puzzle: NumbaPuzzle
    learner: Learner
    seed: int
    counted: int | None = None
    """The number of the case that budgets are about; of others only what lanes do is counted, in half the time."""
    reordered: list[int] = field(default_factory=list)
    """The numbers of the cases whose blocks were run in another order too."""

    def begin(self, number: int, case: Case) -> Begun:
        """Have the first run of `case` begun."""
        launch = self._launch(case)
        sent = arguments(self.puzzle, case, which=0)
        counters: Counting = True if self.counted in (None, number) else "lanes"
        return Begun(number, case, launch, sent, self._start(sent, launch, counters=counters))

    def finish(self, begun: Begun, expected: Mapping[str, Array]) -> Trial:
        """Wait for that run and find the faults of the case."""
        run = begun.run.result()
        trial = Trial(begun.number, begun.case, begun.launch, expected, _arrays(begun.sent), run)
        self._look(trial)
        if run.problem is not None and run.problem.kind in NOT_RUN:
            return trial
        self._compare(trial)
        if self.puzzle.kernel and (fault := filled_otherwise(trial.sent, run, trial.wrong)):
            trial.faults.found.append(fault)
        if trial.wrong and not trial.faults and self._second_run_tells(trial):
            self._run_again(trial)
        self._blame_outputs(trial)
        return trial

    def run_with_values(self, trial: Trial, elements: Collection[Element], order: int | None = None,
                        findings: bool = False) -> CaseRun:
        """The same case again, telling who wrote these elements; with `findings`, races come with two outcomes each.

        Nothing is kept of a case that is too long to be recorded in a blink.
        """
        if trial.executions > MOST_RECORDED:
            return CaseRun()
        sent = arguments(self.puzzle, trial.case, which=0)
        return self._run(sent, trial.launch, findings=findings, counters=False, values=list(elements), order=order)

    def order_of(self, trial: Trial) -> int:
        """The seed of the block order of the case's second run."""
        return self.seed * 1009 + trial.number + 1

    def _launch(self, case: Case) -> Launch | None:
        if self.puzzle.kernel is None or self.puzzle.launch is None:
            return None
        return case.launch or self.puzzle.launch(case.args)

    def _run(self, sent: Mapping[str, Any], launch: Launch | None, **options: Any) -> CaseRun:
        return self._start(sent, launch, **options).result()

    def _start(self, sent: Mapping[str, Any], launch: Launch | None, **options: Any) -> Started:
        name = self.puzzle.kernel or self.puzzle.host or ""
        return self.learner.start(name, sent, launch, time_limit=self.puzzle.time_limit, **options)

    def _look(self, trial: Trial) -> None:
        """Faults of the run itself: problems, findings, strays, changed inputs, broken rules."""
        if trial.run.problem is not None:
            trial.faults.add(trial.run.problem.kind, problem=trial.run.problem)
        for run in trial.run.runs:
            for finding in run.findings:
                trial.faults.add(finding.kind, finding=finding, run=run)
        if not trial.run.arrays:
            return
        _look_beside(trial)
        if self.puzzle.host and trial.run.problem is None:
            trial.faults.found.extend(hosting.broken_rules(trial.case, trial.run))

    def _compare(self, trial: Trial) -> None:
        for name, output in trial.case.outputs.items():
            if name not in trial.run.arrays:
                continue
            got = trial.run.arrays[name].values()
            trial.got[name] = got
            tolerance = tolerance_for(self.puzzle, trial.case, got.dtype)
            trial.wrong[name] = wrong_elements(got, trial.expected[name], tolerance)
            held = poison.untouched(got, 0) if output.initial is None else np.zeros(got.shape, bool)
            trial.unwritten[name] = held & trial.wrong[name]

    def _second_run_tells(self, trial: Trial) -> bool:
        """Whether another order of blocks or another poison can tell anything new.

        Of one block there is one order, and signalling NaNs tell in one run what was not written. Integers have no
        such values: where they are wrong, or happen to equal the poison, only a second poison tells why. Blocks that
        did not race, and met in no atomic operation, give the same in any order; one case is held against that.
        """
        several = any(run.blocks != (1, 1, 1) for run in trial.run.runs)
        if several and trial.numbers_right and trial.case.elements:
            meets = any(run.counters.totals.get("atomics", 0) for run in trial.run.runs)
            if meets or not self.reordered:
                self.reordered.append(trial.number)
                return True
        return any(got.dtype.kind not in "fc" and (trial.wrong[name].any() or poison.untouched(got, 0).any())
                   for name, got in trial.got.items())

    def _run_again(self, trial: Trial) -> None:
        """Another poison and another order of blocks, at once; only a disagreement needs a third run."""
        order = self.order_of(trial)
        second = self._run(arguments(self.puzzle, trial.case, which=1), trial.launch, findings=False, counters=False,
                           order=order)
        if second.problem is not None:
            trial.faults.add(second.problem.kind, problem=second.problem, other_order=True)
        if second.problem is not None or not second.arrays:
            return
        trial.shuffled = {name: second.arrays[name].values() for name in trial.got}
        suspects = {name: self._disagreement(trial, name) for name in trial.got}
        if any(mask.any() for mask in suspects.values()):
            self._blame_disagreement(trial, suspects, order)

    def _disagreement(self, trial: Trial, name: str) -> Mask:
        """Where the runs differ and one is wrong. Elements that nobody wrote are set apart."""
        got, other = trial.got[name], trial.shuffled[name]
        tolerance = tolerance_for(self.puzzle, trial.case, got.dtype)
        if trial.case.outputs[name].initial is None:
            trial.unwritten[name] = poison.untouched(got, 0) & poison.untouched(other, 1)
        wrong_now = wrong_elements(other, trial.expected[name], tolerance)
        suspect = differ(got, other, tolerance) & (trial.wrong[name] | wrong_now) & ~trial.unwritten[name]
        trial.wrong[name] = trial.wrong[name] | trial.unwritten[name] | suspect
        return suspect

    def _blame_disagreement(self, trial: Trial, suspects: Mapping[str, Mask], order: int) -> None:
        """The first poison in the second order: what still differs from the second run depends on the poison."""
        third = self._run(arguments(self.puzzle, trial.case, which=0), trial.launch, findings=False, counters=False,
                          order=order)
        for name, suspect in suspects.items():
            if name not in third.arrays or not suspect.any():
                continue
            tolerance = tolerance_for(self.puzzle, trial.case, trial.got[name].dtype)
            stale = differ(third.arrays[name].values(), trial.shuffled[name], tolerance) & suspect
            if stale.any():
                trial.faults.add("uninitialised read", array=name, index=first_index(stale))
            else:
                trial.faults.add("race", array=name, index=first_index(suspect), other_order=True)

    def _blame_outputs(self, trial: Trial) -> None:
        for name, wrong in trial.wrong.items():
            unwritten = trial.unwritten[name]
            stale = poison.derived(trial.got[name], 0) & wrong
            if unwritten.any():
                trial.faults.add("not written", array=name, index=first_index(unwritten))
            if stale.any() and trial.case.outputs[name].initial is None:
                trial.faults.add("uninitialised read", array=name, index=first_index(stale))
            if (wrong & ~unwritten).any():
                trial.faults.add("wrong answer", array=name, index=first_index(wrong & ~unwritten))


def arguments(puzzle: NumbaPuzzle, case: Case, which: int) -> dict[str, Any]:
    """The case's arguments in the puzzle's order, arrays in guarded memory, outputs filled with poison `which`."""
    given: dict[str, Any] = {}
    for name in puzzle.parameters:
        value = case.args[name]
        if name in case.outputs:
            output = case.outputs[name]
            placed = place_empty(output.shape, output.dtype, output.order) if output.initial is None else place(
                output.initial)
            if output.initial is None:
                poison.fill(placed.view(), which)
            given[name] = placed
        else:
            given[name] = place(value) if isinstance(value, np.ndarray) else value
    return given


def size_of(case: Case) -> int:
    """Elements of all its arrays."""
    shapes = [value.shape for value in case.args.values() if isinstance(value, np.ndarray)]
    return sum(math.prod(shape) for shape in (*shapes, *(output.shape for output in case.outputs.values())))


def first_index(mask: Mask) -> tuple[int, ...]:
    """The index of the first marked element in C order."""
    return tuple(int(at) for at in np.unravel_index(int(np.argmax(mask)), mask.shape))


def _arrays(given: Mapping[str, Any]) -> dict[str, Placed]:
    return {name: value for name, value in given.items() if isinstance(value, Placed)}


def _look_beside(trial: Trial) -> None:
    """Guard bands, and inputs that must come back as they were."""
    for name, before in trial.sent.items():
        now = trial.run.arrays.get(name, before)
        if now is before:
            continue
        if now.outside_changed(before):
            trial.faults.add("out of bounds", array=name)
        if name in trial.case.outputs:
            continue
        changed = _different_bits(now, before)
        if changed.any():
            trial.faults.add("input modified", array=name, index=first_index(changed))


def _different_bits(now: Placed, before: Placed) -> Mask:
    """Element by element and bit by bit: an input may hold NaN."""
    one, other = np.ascontiguousarray(now.view()), np.ascontiguousarray(before.view())
    size = one.dtype.itemsize
    bits = one.view(np.uint8).reshape(-1, size) != other.view(np.uint8).reshape(-1, size)
    return np.asarray(bits.any(axis=1).reshape(now.shape))

