"""Judging a Numba puzzle: all cases of the spec, one diagnosis, stars, Report. Runs in the judge process."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from gpulab.catalog.budgets import BudgetName
from gpulab.catalog.errors import CatalogError
from gpulab.catalog.model import Puzzle
from gpulab.catalog.spec import Budget, Case, Spec
from gpulab.catalog.specs import cases_of, expected_of, load_spec
from gpulab.catalog.text import read_text
from gpulab.judge import hunting, sentences
from gpulab.judge.budgeting import add_counters, as_json, budget_lines
from gpulab.judge.diagnosing import Diagnostician
from gpulab.judge.entry import Source, refuse
from gpulab.judge.fresh import once_more
from gpulab.judge.hosting import launches_of
from gpulab.judge.report import BudgetLine, CaseResult, Diagnosis, EngineResult, Report, Stars, limit_to_tell
from gpulab.judge.session import Learner, Loaded, Step
from gpulab.judge.telling import told
from gpulab.judge.trial import Court, Trial, size_of
from gpulab.judge.unbegun import in_words, is_unbegun
from gpulab.trace.model import Counters, Finding, Note, Run

OnProgress = Callable[[Step], None]

ENOUGH = 10.0
"""Seconds of runs after which a check that has found a fault tries no more cases."""


def judge_numba(
    puzzle: Puzzle,
    file: Path,
    source: str,
    learner: Learner,
    *,
    seed: int,
    first_failure_only: bool = False,
    on_progress: OnProgress | None = None,
) -> Report:
    """Run the learner's file on every case of `puzzle` and report.

    `seed` makes the cases. With `first_failure_only` the first failing case ends the check. Raises nothing for what
    the learner's code or the puzzle's spec does.
    """
    check = Check(puzzle, str(file), Source(source), learner, seed, first_failure_only,
                   on_progress or (lambda step: None))
    try:
        return check.veiled(check.run())
    except CatalogError as error:
        return check.report(sentences.broken_puzzle(puzzle.id, error))


@dataclass
class Check:
    """One check under way."""

    puzzle: Puzzle
    file: str
    source: Source
    learner: Learner
    seed: int
    first_failure_only: bool
    tell: OnProgress
    trials: list[Trial] = field(default_factory=list)
    cases: list[Case] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)
    verdict: str = ""
    """Of the first case that failed."""
    answer: hunting.Judged | None = None
    """Of a bug hunt: what came of ANSWER. Until it is right nothing is told but whether the code passes."""

    def run(self) -> Report:
        start = time.perf_counter()
        self.tell(Step("loading your file"))
        spec = load_spec(self.puzzle.spec)
        self.cases = list(cases_of(spec, self.puzzle.spec, self.seed))
        loaded = self.learner.load()
        self.seconds["load"] = time.perf_counter() - start
        self.judge_answer(spec, loaded)
        refusal = refuse(spec.puzzle, loaded, self.source)
        if refusal is not None:
            self.cases = []
            return self.report(refusal)
        start = time.perf_counter()
        court = Court(spec.puzzle, self.learner, self.seed, self._largest(self.cases))
        self._try_cases(spec, court)
        self.seconds["run"] = self._took()
        report = self._judge(spec, Diagnostician(court, self.source, self.trials))
        self.seconds["judge"] = max(0.0, time.perf_counter() - start - self.seconds["run"])
        return replace(report, seconds=dict(self.seconds))

    def judge_answer(self, spec: Spec, loaded: Loaded) -> None:
        """Of a bug hunt: what came of ANSWER."""
        if spec.puzzle.answer is not None:
            lines = len(read_text(self.puzzle.starter).splitlines())
            self.answer = hunting.judged(spec.puzzle.answer, loaded.answer, lines)

    def _try_cases(self, spec: Spec, court: Court) -> None:
        path = self.puzzle.spec
        again = once_more(spec, path, self.cases, self.seed) if spec.puzzle.host else None
        if again is not None:
            self.cases.append(again.case)
        begun = court.begin(0, self.cases[0]) if self.cases else None
        while begun is not None:
            number, case = begun.number, begun.case
            self._tell(f"case {number + 1} of {len(self.cases)}", number)
            # The learner's process works on the next case while this one is looked at.
            later = court.begin(number + 1, self.cases[number + 1]) if number + 1 < len(self.cases) else None
            trial = court.finish(begun, expected_of(spec, path, case))
            if again is not None and case is again.case:
                trial.faults.found.extend(again.replayed(trial, self.trials))
            if trial.out_of_time and self._faulty():
                return  # what was found before tells more
            self.trials.append(trial)
            if trial.faults and not self.verdict:
                self.verdict = trial.verdict  # now, not when all the others have run too
                self._tell(f"case {number + 1} of {len(self.cases)}", number)
            if trial.fatal or (self._faulty() and (self.first_failure_only or self._took() > ENOUGH)):
                return
            begun = later

    def _tell(self, stage: str, done: int) -> None:
        hidden = self.answer is not None and not self.answer.found
        self.tell(Step(stage, done, len(self.cases), "" if hidden else self.verdict))

    def _faulty(self) -> bool:
        return any(trial.faults for trial in self.trials)

    def _took(self) -> float:
        return sum(trial.run.seconds for trial in self.trials)

    def _judge(self, spec: Spec, diagnostician: Diagnostician) -> Report:
        counters, lines = self._count(spec.puzzle.budget)
        if self._faulty():
            self._tell("finding out why", len(self.cases))
            found = diagnostician.diagnose()
            if found is not None and is_unbegun(self.puzzle, self.source, found):
                found = in_words(self.puzzle, self.source, found)
                return replace(self.report(found, counters, lines), begun=False)
            return self.report(found, counters, lines)
        over = limit_to_tell(lines)
        if over is not None and spec.puzzle.budget is not None:
            return self._over(spec.puzzle.budget, over, counters, lines)
        efficient = True if lines else None
        return self.report(None, counters, lines, Stars(correct=True, efficient=efficient))

    def _over(self, budget: Budget, over: BudgetLine, counters: Counters, lines: list[BudgetLine]) -> Report:
        words = BudgetName.parse(over.name).words if over.name in budget.limits else over.name
        found = sentences.over_budget(over, words, budget.idea, self.source.line(over.line))
        stars = Stars(correct=True, efficient=False)
        if budget.needed:
            largest = self.cases[self._largest(self.cases)]
            return self.report(replace(found, sizes=largest.sizes), counters, lines, stars)
        report = self.report(None, counters, lines, stars)
        note = Note("budget", found.message, over.line or 0)
        return replace(report, notes=[note, *report.notes])

    def _count(self, budget: Budget | None) -> tuple[Counters, list[BudgetLine]]:
        """The counters of the largest case, and the budget where all its numbers are right."""
        if not self.trials:
            return Counters(), []
        largest = self.trials[self._largest([trial.case for trial in self.trials])]
        if largest.number != self._largest(self.cases):  # the check ended before it came to the one that is counted
            return Counters(), []
        counters = add_counters(largest.run.runs)
        if budget is None or not largest.numbers_right or len(self.trials) < len(self.cases):
            return counters, []
        return counters, budget_lines(budget, largest.case, largest.run.runs, counters, launches_of(largest.run))

    @staticmethod
    def _largest(cases: Sequence[Case]) -> int:
        """The number of the case that budgets are counted on: of a size that is the same in each check."""
        fixed = [number for number, case in enumerate(cases) if not case.drawn]
        return max(fixed or range(len(cases)), key=lambda number: size_of(cases[number]), default=0)

    def report(self, diagnosis: Diagnosis | None, counters: Counters | None = None,
               lines: list[BudgetLine] | None = None, stars: Stars | None = None) -> Report:
        """The report with this diagnosis; without one it is passed."""
        verdict = diagnosis.kind if diagnosis else "passed"
        counted = counters or Counters()
        result = EngineResult(
            verdict=verdict, cases=self._case_results(), findings=self._findings(),
            counters=as_json(counted.totals, counted.lines),
            compiled=as_json(counted.compiled.totals, counted.compiled.lines),
            rewrites={str(line): why for line, why in counted.compiled.why.items()},
            budget=lines or [], seconds=sum(trial.run.seconds for trial in self.trials),
            elements=self.cases[self._largest(self.cases)].elements if counted.totals else 0,
        )
        stands = verdict in ("unsupported", "environment")
        return Report(
            puzzle=self.puzzle.id, file=self.file, verdict=verdict,
            stars=stars or (Stars() if stands else Stars(correct=False)), seed=self.seed, engines={"sim": result},
            diagnosis=diagnosis, notes=self._notes(), output="".join(run.printed for run in self._runs()),
            seconds=dict(self.seconds), source=self.source.text, efficient_needed=self.puzzle.stars.efficient_needed,
        )

    def veiled(self, report: Report) -> Report:
        """The report as the learner may see it: of a bug hunt little is told until ANSWER is right."""
        return hunting.veiled(report, self.answer) if self.answer else report

    def _case_results(self) -> list[CaseResult]:
        done = [CaseResult(trial.case.sizes, self.seed, trial.verdict, trial.wrong_count, trial.case.elements,
                           trial.case.tags, told(trial, self.source)) for trial in self.trials]
        left = [CaseResult(case.sizes, self.seed, "not run", 0, case.elements, case.tags)
                for case in self.cases[len(done):]]
        return done + left

    def _runs(self) -> Iterable[Run]:
        return (run for trial in self.trials for run in trial.run.runs)

    def _findings(self) -> list[Finding]:
        """Each fault once, from the smallest case that shows it."""
        trials = sorted(self.trials, key=lambda trial: trial.size)
        found: dict[tuple[object, ...], Finding] = {}
        for finding in (finding for trial in trials for run in trial.run.runs for finding in run.findings):
            other = finding.other.line if finding.other else None
            found.setdefault((finding.kind, finding.line, other, finding.array), finding)
        return list(found.values())

    def _notes(self) -> list[Note]:
        """Each note once."""
        return list({(note.kind, note.line, note.message): note for run in self._runs() for note in run.notes}.values())
