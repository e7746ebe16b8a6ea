"""From the faults of all cases to the one diagnosis that leads the report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from gpulab.judge import mismatch, programs, sentences, slips, stopped
from gpulab.judge.comparison import tolerance_for, wrong_elements
from gpulab.judge.faults import Fault
from gpulab.judge.patterns import Pattern, over_cases, share
from gpulab.judge.races import Scene
from gpulab.judge.report import Diagnosis
from gpulab.judge.source import Source
from gpulab.judge.trial import Court, Trial
from gpulab.judge.wording import Naming, plain
from gpulab.trace.model import Finding, Outcome, Run
from gpulab.trace.values import Element, ValueTrace, Write


def most_telling(trials: Sequence[Trial]) -> list[Trial]:
    """The trials to speak of, the best first: of the first kind of fault by cause, and the smallest case that shows it.

    A wrong answer is told by the smallest case in which a pattern shows, since one wrong element has none; a race by
    one between two warps or blocks.
    """
    failed = [trial for trial in trials if trial.faults]
    worst = min((_first(trial).rank for trial in failed), default=0)
    shown = sorted((trial for trial in failed if _first(trial).rank == worst), key=lambda trial: trial.size)
    if shown and _first(shown[0]).kind in ("wrong answer", "not written"):
        return sorted(shown, key=_vagueness)
    if shown and _first(shown[0]).kind == "race":
        return sorted(shown, key=lambda trial: not any(fault.far for fault in trial.faults.of("race")))
    return shown


def _first(trial: Trial) -> Fault:
    fault = trial.faults.first
    assert fault is not None
    return fault


def _vagueness(trial: Trial) -> int:
    """How little the pattern of this trial tells; most where there is none."""
    fault = _first(trial)
    pattern = mismatch.pattern_of(trial, fault.array or "", fault.kind == "not written")
    return 3 if pattern is None else pattern.vague


NOBODYS: Element = ("", ())
"""Asked for where only the outcomes of races are wanted."""


@dataclass
class Diagnostician:
    """Puts the first fault of one trial into words; may run the case once more to see who wrote what."""

    court: Court
    source: Source
    trials: Sequence[Trial]

    def diagnose(self) -> Diagnosis | None:
        """The first thing to fix; None where nothing is wrong. A race is told by a case that shows two answers."""
        telling = most_telling(self.trials)
        if not telling:
            return None
        trial, fault = telling[0], _first(telling[0])
        if fault.kind == "race" and fault.finding is not None:
            trial, fault = self._between_blocks(fault.finding) or self._race_with_outcomes(telling)
        found = self._words(trial, fault)
        found = replace(found, sizes=trial.case.sizes, next=slips.cure(self.source, found.kind) or found.next)
        return programs.in_programs(found) if self.court.puzzle.programs else found

    def _between_blocks(self, race: Finding) -> tuple[Trial, Fault] | None:
        """The same two lines racing across blocks in some case: a barrier is no cure then, so that is what to say."""
        if race.other is None or race.block != race.other.block:
            return None
        lines = {race.line, race.other.line}
        for trial in self.trials:
            for fault in trial.faults.of("race"):
                found = fault.finding
                if found and found.other and found.block != found.other.block and found.array == race.array and (
                        {found.line, found.other.line} == lines):
                    return trial, fault
        return None

    def _race_with_outcomes(self, trials: Sequence[Trial]) -> tuple[Trial, Fault]:
        for trial in (trials[0], trials[len(trials) // 2]):  # of one element the order rarely matters
            for run in self.court.run_with_values(trial, [NOBODYS], findings=True).runs:
                for finding in run.findings:
                    if finding.kind == "race" and finding.outcomes:
                        return trial, Fault("race", finding=finding, run=run)
        return trials[0], trials[0].faults.of("race")[0]

    def _words(self, trial: Trial, fault: Fault) -> Diagnosis:
        if fault.problem is not None:
            return stopped.problem(fault.problem, self.source)
        if fault.finding is not None:
            return self._of_finding(trial, fault)
        if fault.words is not None:
            return _diagnosis(fault, *fault.words)
        return self._of_array(trial, fault)

    def _of_finding(self, trial: Trial, fault: Fault) -> Diagnosis:
        finding = fault.finding
        assert finding is not None
        other = finding.other
        scene = Scene(
            _naming(fault.run), other is not None and self.source.in_one_loop(finding.line, other.line),
            self._latest_rival(finding), finding.array in trial.case.args,
            self.source.uses_neighbours(finding.line, finding.array or ""), self.source.waits_each_round(finding.line))
        return Diagnosis(
            finding.kind, *sentences.found(finding, scene), line=finding.line, block=finding.block,
            thread=finding.thread, array=finding.array,
            index=finding.index, other=other, access=finding.access, other_access=finding.other_access,
            outcomes=[self._judged(trial, outcome) for outcome in finding.outcomes],
        )

    def _latest_rival(self, finding: Finding) -> int:
        """The last line above the racing one that races with it in any case: a barrier must stand below all of them."""
        races = (one.finding for trial in self.trials for one in trial.faults.of("race") if one.finding is not None)
        others = (race.other.line for race in races if race.other is not None and race.line == finding.line)
        return max((other for other in others if other < finding.line), default=0)

    def _judged(self, trial: Trial, outcome: Outcome) -> Outcome:
        """The outcome, with whether the value it leaves is the expected one; unknown where it is not an output's."""
        expected = trial.expected.get(outcome.array)
        if expected is None or len(outcome.index) != expected.ndim:
            return outcome
        got = np.asarray(outcome.value if not isinstance(outcome.value, str) else complex(outcome.value).real)
        tolerance = tolerance_for(self.court.puzzle, trial.case, trial.case.outputs[outcome.array].dtype)
        return replace(outcome, right=not wrong_elements(got, np.asarray(expected[outcome.index]), tolerance).any())

    def _of_array(self, trial: Trial, fault: Fault) -> Diagnosis:
        maker = {"wrong answer": self._wrong_answer, "not written": self._not_written, "race": self._order,
                 "input modified": self._input_modified, "uninitialised read": self._stale}.get(fault.kind)
        if maker is None:
            return _diagnosis(fault, *sentences.stray_write(fault.array or ""))
        return maker(trial, fault)

    def _wrong_answer(self, trial: Trial, fault: Fault) -> Diagnosis:
        name, index = _place(fault)
        pattern = mismatch.pattern_of(trial, name)
        values = self._values(trial, name, index)
        shown = mismatch.describe(trial, name, index, pattern, values)
        write = shown.write
        if pattern is None or pattern.vague > 1:
            pattern = self._over_cases() or pattern
        pattern = self._only_when_drawn(trial) or pattern
        detail = pattern.sentence if pattern else share(mismatch.as_wrong(trial, name))
        if not detail and write is not None:
            detail = sentences.writer(write, _naming_of(trial))
        return Diagnosis(
            fault.kind, sentences.wrong(name, index, shown.expected, shown.got), detail,
            pattern.next if pattern else sentences.which_thread(name, index),
            line=write.line if write else None, block=write.block if write else None,
            thread=write.thread if write else None, array=name, index=index, mismatch=shown,
        )

    def _only_when_drawn(self, trial: Trial) -> Pattern | None:
        """What to say where all listed sizes pass, and only one that was drawn for this check does not."""
        if not all(other.case.drawn for other in self.trials if other.faults):
            return None
        return Pattern(sentences.only_drawn(trial.case.sizes), sentences.WHICH_NUMBER)

    def _over_cases(self) -> Pattern | None:
        """What parts right cases from wrong ones; nothing where a case failed for another reason."""
        if not {trial.verdict for trial in self.trials} <= {"passed", "wrong answer"}:
            return None
        tiles = sorted({extent for trial in self.trials for run in trial.run.runs for extent in run.threads})
        return over_cases([(trial.case.sizes, trial.verdict == "passed") for trial in self.trials], tiles)

    def _not_written(self, trial: Trial, fault: Fault) -> Diagnosis:
        name, index = _place(fault)
        pattern = mismatch.pattern_of(trial, name, unwritten=True)
        everything = bool(trial.unwritten[name].all())
        detail, look = share(mismatch.as_wrong(trial, name, unwritten=True)), sentences.which_thread(name, index)
        drawn = self._only_when_drawn(trial)
        if drawn is not None:
            detail, look = drawn.sentence, drawn.next
        elif everything:
            detail = sentences.nothing_stored(trial.run.runs)
            look = look if trial.run.runs else sentences.nothing_launched(name)
        elif pattern is not None:
            detail, look = pattern.sentence, pattern.next
        return Diagnosis(
            fault.kind, sentences.unwritten(name, index, everything), detail, look, array=name, index=index,
            mismatch=mismatch.describe(trial, name, index, pattern, self._values(trial, name, index)),
        )

    def _order(self, trial: Trial, fault: Fault) -> Diagnosis:
        name, index = _place(fault)
        values = self._values(trial, name, index, order=self.court.order_of(trial))
        write = values.writer(name, index) if values else None
        words = sentences.depends_on_order(name, index, plain(trial.got[name][index]),
                                           plain(trial.shuffled[name][index]))
        return replace(_diagnosis(fault, *words), line=write.line if write else None,
                       mismatch=mismatch.describe(trial, name, index, None, values))

    def _input_modified(self, trial: Trial, fault: Fault) -> Diagnosis:
        name, index = _place(fault)
        values = self._values(trial, name, index)
        write = values.writer(name, index) if values else None
        words = sentences.changed_input(
            name, index, plain(trial.sent[name].values()[index]), plain(trial.run.arrays[name].values()[index]),
            sentences.writer(write, _naming_of(trial)) if write else "")
        return _by(write, _diagnosis(fault, *words))

    def _stale(self, trial: Trial, fault: Fault) -> Diagnosis:
        name, index = _place(fault)
        write = _reader(self._values(trial, name, index), name, index)
        words = sentences.stale_output(name, index, write.line if write else None)
        return _by(write, _diagnosis(fault, *words))

    def _values(self, trial: Trial, name: str, index: tuple[int, ...], order: int | None = None) -> ValueTrace | None:
        """Who wrote the element and those shown around it, from the last launch that kept it."""
        around = mismatch.window(index, trial.got[name].shape) if name in trial.got else ()
        elements = dict.fromkeys([(name, index), *((name, at) for at in around)])
        runs = self.court.run_with_values(trial, elements, order).runs
        return next((run.values for run in reversed(runs) if run.values is not None), None)


def _place(fault: Fault) -> tuple[str, tuple[int, ...]]:
    assert fault.array is not None and fault.index is not None
    return fault.array, fault.index


def _diagnosis(fault: Fault, message: str, detail: str, next: str) -> Diagnosis:
    return Diagnosis(fault.kind, message, detail, next, line=fault.line, array=fault.array, index=fault.index)


def _by(write: Write | None, found: Diagnosis) -> Diagnosis:
    if write is None:
        return found
    return replace(found, line=write.line, block=write.block, thread=write.thread)


def _reader(values: ValueTrace | None, name: str, index: tuple[int, ...]) -> Write | None:
    """The first store to this element that used what the output held before."""
    stores = values.writes.get((name, index), []) if values else []
    for write in stores:
        if any(operand.array == name and operand.written_by is None for operand in write.operands):
            return write
    return stores[0] if stores else None


def _naming(run: Run | None) -> Naming:
    return Naming(run.blocks, run.threads, run.unit == "program") if run else Naming()


def _naming_of(trial: Trial) -> Naming:
    return _naming(trial.run.runs[-1] if trial.run.runs else None)
