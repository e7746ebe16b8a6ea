"""Bug hunts: what came of ANSWER, and what a report says until it is right.

The judge reports as for any puzzle; only then `veiled` takes away what would name the bug. So nothing leaves the
judge process that a learner could find it by, whichever way they look: result, JSON, picture or progress.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from difflib import get_close_matches

from gpulab.catalog.hunt import KINDS, NAME, answer_line
from gpulab.catalog.spec import Answer
from gpulab.judge.report import Diagnosis, EngineResult, Hunt, Report, Stars
from gpulab.judge.session import Answered
from gpulab.trace.model import Note

TOLD = ("does not compile", "raised", "crashed", "timed out", "deadlock", "not allowed", "unsupported", "environment")
"""Verdicts that are told all the same: the code did not run to its end, and no hunt asks for one of them."""

FORM = f'{NAME} = (line, "kind")'

CURES = {
    "missing": "Which line made it fail before, and how?",
    "malformed": f"Write {NAME} anew, in this form: {FORM}",
    "wrong line": "Which line made it fail before?",
    "wrong kind": "What did that line do before you mended it?",
}
"""What to do about ANSWER, by its state, once the code passes."""


@dataclass(frozen=True)
class Judged:
    """The learner's ANSWER held against the right one. `state` is as in `Hunt.answer`; `words` say what is amiss."""

    right: Answer
    state: str
    words: str = ""
    detail: str = ""

    @property
    def found(self) -> bool:
        """Whether line and kind are right."""
        return self.state == "right"


def judged(right: Answer, given: Answered | None, starter_lines: int) -> Judged:
    """What came of ANSWER: its form first, then its line, and only with a right line its kind."""
    if given is None:
        return Judged(right, "missing", f"{NAME} is not set", f"End the file with {FORM}, the line as in the starter.")
    if given.amiss:
        return Judged(right, "malformed", f"{NAME} is {given.amiss}", f"It is a line and a kind: {FORM}.")
    kind = " ".join(given.kind.lower().split())
    if kind not in KINDS:
        return Judged(right, "malformed", f'"{kind[:28]}" is no kind', did_you_mean(kind))
    if not 1 <= given.line <= starter_lines:
        return Judged(right, "wrong line", f"{NAME} names no line of the starter",
                      f"It has {starter_lines} lines; the Brief shows their numbers.")
    if given.line not in right.lines:
        return Judged(right, "wrong line", f"line {given.line} is not where the bug is",
                      "Lines count as in the starter: the Brief shows their numbers.")
    if kind != right.kind:
        return Judged(right, "wrong kind", f"line {given.line} is right, the kind is not",
                      f'"{kind}" is not what goes wrong there. The Brief has the kinds.')
    return Judged(right, "right")


def did_you_mean(kind: str) -> str:
    """The kind that was meant, or where to read them: all do not fit a row."""
    close = get_close_matches(kind, KINDS, n=1)
    return f'Did you mean "{close[0]}"?' if close else "The Brief has the kinds."


def veiled(report: Report, answer: Judged) -> Report:
    """The report as the learner may see it: whole once ANSWER is right, else whether the code passes, and no more."""
    told = report.verdict in TOLD
    if answer.found:
        hunt = Hunt("right", None if told else report.passed, list(answer.right.lines), answer.right.kind)
        settled = told or report.passed
        return replace(report, hunt=hunt, notes=report.notes if settled else [_found(report), *report.notes])
    verdict = report.verdict if told else "wrong answer"
    diagnosis = report.diagnosis if told else _diagnosis(answer, report.passed)
    engines = {name: EngineResult(verdict, seconds=result.seconds) for name, result in report.engines.items()}
    return replace(
        report, verdict=verdict, diagnosis=diagnosis, engines=engines, notes=[], timing=None,
        stars=report.stars if told else Stars(correct=False),
        hunt=Hunt(answer.state, None if told else report.passed),
    )


def _found(report: Report) -> Note:
    """Said beside the diagnosis: this half is done."""
    return Note("hunt", f"{NAME} is right. What is left is to mend the code.", answer_line(report.source) or 0)


def _diagnosis(answer: Judged, passes: bool) -> Diagnosis:
    code = "The code passes" if passes else "The code does not pass yet"
    cure = CURES[answer.state] if passes else "Why it fails is told once ANSWER is right."
    return Diagnosis("wrong answer", f"{code}; {answer.words}.", answer.detail, cure)


def undrawn(report: Report, answer: Judged) -> Report:
    """The report that comes in place of a picture."""
    if report.diagnosis is None or report.verdict in TOLD:
        return report
    message = f"The picture comes once {NAME} is right; {answer.words}."
    return replace(report, diagnosis=replace(report.diagnosis, message=message))
