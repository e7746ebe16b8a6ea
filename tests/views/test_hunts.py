"""Every shipped bug hunt fits a small terminal whole, and a report that keeps back the bug draws nothing of it."""

from __future__ import annotations

import pytest

from gpulab.catalog import hunt, load, statement
from gpulab.judge.report import Diagnosis, EngineResult, Hunt, Report, Stars
from gpulab.views import brief, result
from gpulab.views.look import look

HUNTS = [puzzle for puzzle in load().puzzles if puzzle.hunt]


def text(page) -> list[str]:
    return [line.plain.rstrip() for line in page.rows]


def test_there_are_hunts():
    assert len(HUNTS) >= 10


@pytest.mark.parametrize("puzzle", HUNTS, ids=[puzzle.id for puzzle in HUNTS])
def test_the_brief_of_a_hunt_shows_all_its_code_on_one_screen(puzzle):
    starter = puzzle.starter.read_text()
    known = brief.Brief(puzzle, statement(puzzle), f"~/gpulab-work/{puzzle.id}.py", starter)
    shown = text(brief.page(known, 80, 21, look()))
    assert len(shown) == 21
    lines = starter.splitlines()
    for number in hunt.shown_lines(starter):
        assert f"{number:>3} │ {lines[number - 1]}" in shown
    words = " ".join(" ".join(shown).split())
    assert all(kind in words for kind in hunt.KINDS)
    assert shown[-1].startswith(("  ☆ correct", "  ☆ efficient"))
    assert hunt.answer_line(starter) not in hunt.shown_lines(starter)


@pytest.mark.parametrize("puzzle", HUNTS, ids=[puzzle.id for puzzle in HUNTS])
def test_a_wide_brief_of_a_hunt_shows_the_whole_starter_and_how_to_answer(puzzle):
    starter = puzzle.starter.read_text()
    known = brief.Brief(puzzle, statement(puzzle), "f", starter)
    words = "\n".join(text(brief.page(known, 120, 37, look())))
    assert all(starter.splitlines()[number - 1] in words for number in hunt.code_lines(starter))
    assert "  ANSWER    (line, \"kind\"). Kinds:" in words
    assert "ANSWER = None" in words


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("passes", [False, True])
def test_a_report_without_the_right_answer_says_so_and_has_no_cases(width, passes):
    said = Diagnosis("wrong answer", "The code passes; ANSWER is not set." if passes else
                     "The code does not pass yet; ANSWER is not set.", "End the file with it.", "Why is told then.")
    report = Report("bughunt/x", "x.py", "wrong answer", Stars(False), 7, {"sim": EngineResult("wrong answer")}, said,
                    source="x = 1\n", hunt=Hunt("missing", passes))
    words = "\n".join(text(result.page(result.Shown(report, HUNTS[0]), width, 30, look())))
    assert "ANSWER is not right" in words
    assert "numbers" not in words and "case" not in words
