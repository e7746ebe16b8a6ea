"""Proving a puzzle: everything its folder claims is tried with the same check that learners get."""

from __future__ import annotations

import ast
import os
import re
import secrets
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from gpulab.authoring import coverage, texts
from gpulab.authoring.problem import Problem
from gpulab.catalog import hunt
from gpulab.check import check

if TYPE_CHECKING:
    from gpulab.catalog.model import Puzzle
    from gpulab.judge.report import Report

LEAST_WRONG = 3
LEAST_RIGHT = 2
IMPOLITE = frozenset({"does not compile", "raised", "crashed", "timed out", "deadlock", "not allowed", "unsupported",
                      "environment"})
"""What a learner who has written nothing yet must not be told."""

EXPECTATION = re.compile(
    r"# verdict: (?P<verdicts>[a-z ]+?)(?:, line (?P<lines>\d+(?: or \d+)*)|(?P<hunt>, ANSWER))?\s*")


@dataclass(frozen=True)
class Proof:
    """What was tried of one puzzle and what did not hold. `seconds` is the time its checks took together."""

    puzzle: str
    problems: list[Problem] = field(default_factory=list)
    wrong: int = 0
    right: int = 0
    seconds: float = 0.0

    @property
    def holds(self) -> bool:
        return not self.problems


@dataclass(frozen=True)
class Expectation:
    """The first line of a file in `wrong/`: the verdict that is due, and its line where it has one.

    There may be several of either ("race or wrong answer, line 15 or 16") where chance or size decides. In a bug hunt
    "wrong answer, ANSWER" says that ANSWER is not right, whatever the code does; all others need a right one.
    """

    verdicts: tuple[str, ...]
    lines: tuple[int, ...] = ()
    unanswered: bool = False

    def __str__(self) -> str:
        if self.unanswered:
            return " or ".join(self.verdicts) + " for its ANSWER"
        where = f" on line {' or '.join(map(str, self.lines))}" if self.lines else ""
        return " or ".join(self.verdicts) + where

    def met_by(self, report: Report) -> bool:
        """Same verdict, and same line where one is asked for; a race may be named by either of its lines."""
        if report.verdict not in self.verdicts:
            return False
        if report.hunt is not None and report.hunt.found == self.unanswered:
            return False
        return not self.lines or bool(_lines_named(report) & set(self.lines))


def _lines_named(report: Report) -> set[int | None]:
    """The lines that the diagnosis names, a race both of its own."""
    diagnosis = report.diagnosis
    return {diagnosis.line, diagnosis.other.line if diagnosis.other else None} if diagnosis else set()


def prove(puzzles: Sequence[Puzzle], seed: int | None = None) -> Iterator[Proof]:
    """The proofs of these puzzles, in their order, each as soon as it is complete. One check per processor at a time.

    All checks use one seed, so that a failure can be repeated; a fresh one unless given.
    """
    seed = secrets.randbelow(1_000_000) if seed is None else seed
    with ThreadPoolExecutor(_processors()) as pool:
        covered = pool.submit(coverage.of_puzzles, puzzles, seed)
        tried = [(puzzle, [pool.submit(trial) for trial in _trials(puzzle, seed)]) for puzzle in puzzles]
        try:
            for puzzle, trials in tried:
                yield _proof(puzzle, trials, covered.result()[puzzle.id])
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


@dataclass(frozen=True)
class Trial:
    """What one file of a puzzle came to."""

    problem: Problem | None
    seconds: float


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _proof(puzzle: Puzzle, trials: list[Future[Trial]], uncovered: list[Problem]) -> Proof:
    done = [trial.result() for trial in trials]
    found = [trial.problem for trial in done if trial.problem]
    wrong, right = files_in(puzzle, "wrong"), files_in(puzzle, "right")
    problems = [*texts.problems_of(puzzle), *uncovered, *_counted(puzzle, wrong, right), *found]
    return Proof(puzzle.id, problems, len(wrong), len(right), sum(trial.seconds for trial in done))


def files_in(puzzle: Puzzle, kind: str) -> list[Path]:
    """The files in a puzzle's `wrong/` or `right/`."""
    return sorted((puzzle.folder / kind).glob("*.py"))


def _trials(puzzle: Puzzle, seed: int) -> Iterator[Callable[[], Trial]]:
    """Everything to try, the reference first: without it nothing else means much."""
    yield lambda: _timed(_reference, puzzle, puzzle.reference, seed)
    yield lambda: _timed(_starter, puzzle, puzzle.starter, seed)
    if puzzle.hunt:
        yield lambda: _timed(_bug, puzzle, puzzle.starter, seed)
    for file in files_in(puzzle, "right"):
        yield lambda file=file: _timed(_right, puzzle, file, seed)  # type: ignore[misc]
    for file in files_in(puzzle, "wrong"):
        yield lambda file=file: _timed(_wrong, puzzle, file, seed)  # type: ignore[misc]


def _timed(trial: Callable[[Puzzle, Path, int], str | None], puzzle: Puzzle, file: Path, seed: int) -> Trial:
    begun = time.monotonic()
    wrong = trial(puzzle, file, seed)
    if wrong is None:
        return Trial(None, time.monotonic() - begun)
    again = f"gpulab check {puzzle.id} --seed {seed} --file {file}"
    return Trial(Problem(file, None, wrong, f"See it: {again}"), time.monotonic() - begun)


def _reference(puzzle: Puzzle, file: Path, seed: int) -> str | None:
    report = check(puzzle, file, engine="sim", seed=seed)
    if not report.passed:
        return f"The reference does not pass: {_told(report)}"
    if puzzle.stars.efficient and not report.stars.efficient:
        return "The reference does not earn the star for efficiency."
    if report.stars.efficient is not None and not puzzle.stars.efficient:
        return "The spec has a budget, but the statement does not say what the star for efficiency asks for."
    return None


def _starter(puzzle: Puzzle, file: Path, seed: int) -> str | None:
    report = check(puzzle, file, engine="sim", seed=seed)
    if report.passed:
        return "The starter passes: there is nothing left to do."
    if report.hunt is not None and report.hunt.found:
        return "The starter names its own bug."
    return f"The starter does not fail politely: {_told(report)}" if report.verdict in IMPOLITE else None


def _bug(puzzle: Puzzle, file: Path, seed: int) -> str | None:
    """The starter with the reference's ANSWER must fail by the kind that ANSWER says, on one of the right lines."""
    lines, answer = puzzle.reference.read_text(encoding="utf-8").splitlines(), None
    number = hunt.answer_line("\n".join(lines))
    if number is not None:
        answer = lines[number - 1]
    with tempfile.TemporaryDirectory() as folder:
        answered = Path(folder) / "answered.py"
        answered.write_text(f"{file.read_text(encoding='utf-8')}\n{answer or ''}\n", encoding="utf-8")
        report = check(puzzle, answered, engine="sim", seed=seed)
    found = report.hunt
    if found is None or not found.found:
        return f"With the reference's {answer or 'ANSWER, which it lacks,'} the starter's bug is not named."
    if report.verdict != found.kind:
        return f"ANSWER says {found.kind}, but of the starter {_told(report)}"
    if found.kind in hunt.NAMED_BY_LINE and not _lines_named(report) & set(found.lines):
        return f"ANSWER says line {' or '.join(map(str, found.lines))}, but of the starter {_told(report)}"
    return None


def _right(puzzle: Puzzle, file: Path, seed: int) -> str | None:
    report = check(puzzle, file, engine="sim", seed=seed)
    return None if report.passed else f"It should pass: {_told(report)}"


def _wrong(puzzle: Puzzle, file: Path, seed: int) -> str | None:
    expected = expectation_of(file)
    if isinstance(expected, str):
        return expected
    report = check(puzzle, file, engine="sim", seed=seed)  # all cases: what a learner gets to read
    if not expected.met_by(report):
        return f"It should fail with {expected}: {_told(report)}"
    return _unfit(report)


def _unfit(report: Report) -> str | None:
    """What of the diagnosis does not fit its rows on a screen of 80 columns, or is no sentence."""
    from gpulab.judge.wording import WIDTH

    found = report.diagnosis
    for text in filter(None, (found.message, found.detail) if found else ()):
        if len(text) > WIDTH or not text.endswith((".", "?")):
            return f"What it is told is no sentence of at most {WIDTH} characters: {text}"
    return None


def expectation_of(file: Path) -> Expectation | str:
    """What the first line of a file in `wrong/` promises, or what is wrong with that line."""
    from gpulab.judge.report import VERDICTS

    lines = file.read_text(encoding="utf-8").splitlines()
    found = EXPECTATION.fullmatch(lines[0] if lines else "")
    if found is None:
        return "Its first line must name the verdict that is due: # verdict: race, line 16"
    verdicts = tuple(found["verdicts"].split(" or "))
    for verdict in verdicts:
        if verdict not in VERDICTS or verdict == "passed":
            return f"Its first line names {verdict!r}, which is no verdict of a wrong file."
    named = tuple(int(line) for line in (found["lines"] or "").split(" or ") if line)
    return Expectation(verdicts, named, unanswered=found["hunt"] is not None)


def _told(report: Report) -> str:
    """The verdict as a learner would read it."""
    diagnosis = report.diagnosis
    if diagnosis is None:
        return f"the verdict is {report.verdict}."
    line = f" on line {diagnosis.line}" if diagnosis.line else ""
    return f"the verdict is {report.verdict}{line}. {diagnosis.message}"


def _counted(puzzle: Puzzle, wrong: list[Path], right: list[Path]) -> Iterator[Problem]:
    """Enough files, and right ones that are not one solution twice."""
    if len(wrong) < LEAST_WRONG:
        yield Problem(puzzle.folder / "wrong", None, f"There are {len(wrong)} wrong solutions, {LEAST_WRONG} are due.",
                      "Write down the classic mistakes, each with # verdict: ... as its first line.")
    if len(right) < LEAST_RIGHT:
        yield Problem(puzzle.folder / "right", None, f"There are {len(right)} right solutions, {LEAST_RIGHT} are due.",
                      "Solve it in other ways than the reference does.")
    seen: dict[str, Path] = {}
    for file in (puzzle.reference, *right):
        shape = _shape(file)
        if shape in seen:
            yield Problem(file, None, f"It is the same program as {seen[shape].name}.", "Solve it another way.")
        seen.setdefault(shape, file)


def _shape(file: Path) -> str:
    """The program without comments, docstrings and spacing."""
    try:
        tree = ast.parse(file.read_text(encoding="utf-8"))
    except SyntaxError:
        return str(file)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.FunctionDef)) and ast.get_docstring(node) is not None:
            node.body = node.body[1:]
    return ast.dump(tree)
