"""Bug hunts: until ANSWER names line and kind, nothing is told but whether the code passes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from gpulab.catalog.errors import CatalogError
from gpulab.catalog.model import Puzzle
from gpulab.catalog.specs import load_spec
from gpulab.judge.picturing import draw_numba
from gpulab.judge.report import Diagnosis, EngineResult, Hunt, Report
from gpulab.judge.session import Step
from gpulab.judge.wording import WIDTH
from tests.judge import specs
from tests.judge.local import LocalLearner, judge, puzzle_of
from tests.judge.test_verdicts import TILED, changed

BROKEN = changed(TILED, "    cuda.syncthreads()\n", "")  # the tile is read on line 17
RACE = 17
SPEC = specs.STENCIL.replace("PUZZLE = NumbaPuzzle(",
                             f'PUZZLE = NumbaPuzzle(answer=Answer(lines=(15, {RACE}), kind="race"), ')


def hunt(folder: Path, spec: str = SPEC, starter: str = BROKEN) -> Puzzle:
    """A puzzle that begins with BROKEN."""
    puzzle = puzzle_of(folder, spec)
    puzzle.starter.write_text(starter + "\nANSWER = None\n")
    return puzzle


def answered(folder: Path, source: str, answer: str) -> Report:
    """The report on `source` with this value as ANSWER."""
    return judge(hunt(folder), f"{source}\nANSWER = {answer}\n")


def hidden(report: Report) -> bool:
    """Whether nothing in the report, as it is stored and printed, tells what the code does wrong."""
    assert report.diagnosis is not None
    # the learner's own file and own words come back, and the judge's sentences are looked at elsewhere
    report = replace(report, source="", diagnosis=replace(report.diagnosis, message="", detail=""))
    told = msgspec.json.encode(report).decode()
    return (report.engines == {"sim": EngineResult("wrong answer", seconds=report.engines["sim"].seconds)}
            and report.notes == [] and report.diagnosis == Diagnosis("wrong answer", "", "", report.diagnosis.next)
            and not any(clue in told for clue in ('"race"', "warp", "tile[")))


RIGHT = f'({RACE}, "race")'


@pytest.mark.parametrize(("answer", "state", "said"), [
    ("None", "missing", "ANSWER is not set."),
    ("[17, 'race']", "malformed", "ANSWER is a list."),
    ("17", "malformed", "ANSWER is a number."),
    ("(17, 'race', 1)", "malformed", "ANSWER is a tuple of 3."),
    ("('race', 17)", "malformed", "ANSWER is not a number and a text."),
    ("(True, 'race')", "malformed", "ANSWER is not a number and a text."),
    ("(17, 'rase')", "malformed", '"rase" is no kind.'),
    ("(17, '\\udc80' * 99)", "malformed", "is no kind."),
    ("type('Odd', (tuple,), {})((17, 'race'))", "malformed", "ANSWER is something else."),
    ("(10 ** 40, 'race')", "wrong line", "ANSWER names no line of the starter."),
    ("(-1, 'race')", "wrong line", "ANSWER names no line of the starter."),
    ("(9, 'race')", "wrong line", "line 9 is not where the bug is."),
    ("(9, 'out of bounds')", "wrong line", "line 9 is not where the bug is."),
    ("(17, 'out of bounds')", "wrong kind", "line 17 is right, the kind is not."),
])
@pytest.mark.parametrize("passes", [False, True])
def test_without_the_right_answer_only_that_is_told_and_whether_the_code_passes(
        tmp_path: Path, answer: str, state: str, said: str, passes: bool) -> None:
    report = answered(tmp_path, TILED if passes else BROKEN, answer)
    assert report.verdict == "wrong answer"
    assert report.hunt == Hunt(state, passes)
    assert report.stars.correct is False
    found = report.diagnosis
    assert found is not None
    assert found.message.startswith("The code passes; " if passes else "The code does not pass yet; ")
    assert said in found.message
    assert all(0 < len(text) <= WIDTH for text in (found.message, found.detail, found.next))
    assert hidden(report)


def test_the_right_answer_opens_the_whole_report(tmp_path: Path) -> None:
    report = answered(tmp_path, BROKEN, RIGHT)
    assert report.verdict == "race"
    assert report.diagnosis is not None
    assert report.diagnosis.line == RACE
    assert report.engines["sim"].findings
    assert report.engines["sim"].counters
    assert report.engines["sim"].cases
    assert report.hunt == Hunt("right", False, [15, 17], "race")
    assert (report.notes[0].kind, report.notes[0].line) == ("hunt", BROKEN.count("\n") + 2)


@pytest.mark.parametrize("answer", [RIGHT, '(15, "race")', '(17, "  RACE ")'])
def test_mended_code_and_the_right_answer_pass(tmp_path: Path, answer: str) -> None:
    report = answered(tmp_path, TILED, answer)
    assert report.passed
    assert report.stars.correct
    assert report.hunt == Hunt("right", True, [15, 17], "race")


@pytest.mark.parametrize(("answer", "asked"), [
    ("None", "Which line made it fail before, and how?"),
    (f"({RACE}, 'rice')", 'Write ANSWER anew, in this form: ANSWER = (line, "kind")'),
    ("(1, 'race')", "Which line made it fail before?"),
    (f"({RACE}, 'not written')", "What did that line do before you mended it?"),
])
def test_once_the_code_passes_it_is_asked_for_what_is_not_right_in_the_answer(
    tmp_path: Path, answer: str, asked: str
) -> None:
    found = answered(tmp_path, TILED, answer).diagnosis
    assert found is not None and found.next == asked


def test_what_keeps_the_code_from_running_is_told_without_an_answer(tmp_path: Path) -> None:
    report = answered(tmp_path, changed(BROKEN, "tile[t + 2]", "tail[t + 2]"), "None")
    assert report.verdict == "does not compile"
    assert report.diagnosis is not None
    assert "tail" in report.diagnosis.message
    assert report.hunt == Hunt("missing", None)


def test_a_note_about_a_budget_is_kept_back_too(tmp_path: Path) -> None:
    spec = SPEC.replace("needed=True", "needed=False").replace("=1.04", "=0.5")
    report = judge(hunt(tmp_path, spec), f"{TILED}\nANSWER = None\n")
    assert report.notes == []
    assert report.hunt == Hunt("missing", True)


@pytest.mark.parametrize(("answer", "told"), [("None", {""}), (RIGHT, {"", "race"})])
def test_progress_tells_no_verdict_before_the_answer_is_right(tmp_path: Path, answer: str, told: set[str]) -> None:
    steps: list[Step] = []
    judge(hunt(tmp_path), f"{BROKEN}\nANSWER = {answer}\n", on_progress=steps.append)
    assert {step.verdict for step in steps} == told


@pytest.mark.parametrize(("answer", "drawn"), [("None", False), ("(9, 'race')", False), (RIGHT, True)])
def test_there_is_no_picture_before_the_answer_is_right(tmp_path: Path, answer: str, drawn: bool) -> None:
    puzzle = hunt(tmp_path)
    source = f"{BROKEN}\nANSWER = {answer}\n"
    file = puzzle.folder / "learner.py"
    file.write_text(source)
    drawing = draw_numba(puzzle, file, source, LocalLearner(file), seed=71)
    assert bool(drawing.launches) is drawn
    if not drawn:
        assert drawing.report.diagnosis is not None
        assert drawing.report.diagnosis.message.startswith("The picture comes once ANSWER is right; ")


@pytest.mark.parametrize(("old", "new", "said"), [
    ('answer=Answer(lines=(15, 17), kind="race")', 'answer=(17, "race")', "answer is no Answer."),
    ('kind="race"', 'kind="rase"', "'rase' is no kind of bug. Did you mean \"race\"?"),
    ('kind="race"', 'kind="raised"', "'raised' is no kind of bug."),
    ("lines=(15, 17)", "lines=()", "answer names no lines."),
    ("lines=(15, 17)", "lines=17", "answer names no lines."),
    ("lines=(15, 17)", "lines=(17, 99)", "answer names line 99, on which starter.py has no code."),
    ("lines=(15, 17)", "lines=(1,)", "answer names line 1, on which starter.py has no code."),
    ("lines=(15, 17)", "lines=(2,)", "answer names line 2, on which starter.py has no code."),
    ('kind="race"', 'kind="over budget"', None),
])
def test_a_malformed_answer_in_a_spec_is_named(tmp_path: Path, old: str, new: str, said: str | None) -> None:
    puzzle = hunt(tmp_path, changed(SPEC, old, new))
    if said is None:
        load_spec(puzzle.spec)
        puzzle.spec.write_text(puzzle.spec.read_text().replace("needed=True, ", ""))
        said = "no budget is needed."
    with pytest.raises(CatalogError) as caught:
        load_spec(puzzle.spec)
    assert said in str(caught.value)
    assert caught.value.line


def test_a_spec_with_an_answer_and_no_starter_is_named(tmp_path: Path) -> None:
    puzzle = hunt(tmp_path)
    puzzle.starter.unlink()
    with pytest.raises(CatalogError, match=r"starter\.py: The file is missing\."):
        load_spec(puzzle.spec)
