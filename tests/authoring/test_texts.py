"""Every line a learner has to read must fit the screen it is read on."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpulab.authoring import texts
from gpulab.authoring.problem import Problem
from gpulab.catalog import load
from tests.catalog.folder import spoil, write_content

COMMENT = "    # 1. copy a[i] into the tile; the first two threads also fetch what lies"  # 76 columns


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_content(tmp_path) / "puzzles/shared/pooling"


def too_wide(folder: Path) -> list[Problem]:
    catalog = load(folder.parents[2])
    puzzle = next(puzzle for puzzle in catalog.puzzles if puzzle.id == "shared/pooling")
    return [problem for problem in texts.problems_of(puzzle) if "columns wide" in problem.message]


def test_a_starter_line_wider_than_the_code_tab_is_named(folder: Path) -> None:
    (folder / "starter.py").write_text(f"def f():\n{COMMENT}\n    pass\n")
    problem, = too_wide(folder)
    assert (problem.file, problem.line) == (folder / "starter.py", 2)
    assert problem.message == f"The line is {len(COMMENT)} columns wide, and 72 fit the screen."
    assert "lines of its own" in problem.cure


def test_a_starter_line_of_just_the_width_is_fine(folder: Path) -> None:
    (folder / "starter.py").write_text(f"{COMMENT[:72]}\n")
    assert too_wide(folder) == []


def test_a_hunt_whose_code_and_text_fill_more_than_a_screen_is_named(folder: Path) -> None:
    spoil(folder / "statement.md", "aliases: []", "hunt: true")
    for lines, fits in ((11, True), (12, False)):  # text and drawing are 2 rows, def and decorator 2, the second star 1
        code = "\n\n".join(f"    x = {number}" for number in range(lines))
        (folder / "starter.py").write_text(f'"""Broken."""\n\nimport math\n\n\n@math\ndef f():\n{code}\n\n\n# here\n'
                                           "ANSWER = None\n")
        puzzle = next(puzzle for puzzle in load(folder.parents[2]).puzzles if puzzle.id == "shared/pooling")
        assert fits is not any("rows long with the code" in problem.message for problem in texts.problems_of(puzzle))


@pytest.mark.parametrize("name", ["hints.md", "after.md"])
def test_wide_code_in_a_text_is_named_but_prose_is_reflowed(folder: Path, name: str) -> None:
    file = folder / name
    text = file.read_text() + "\n" + "Long prose is reflowed. " * 6 + "\n\n    "
    file.write_text(text + "x" * 72 + "\n")
    assert too_wide(folder) == []
    file.write_text(text + "x" * 73 + "\n")
    problem, = too_wide(folder)
    assert (problem.file, problem.line) == (file, len(file.read_text().splitlines()))
    assert problem.message == "The code is 73 columns wide here, and 72 fit the screen."


def test_every_shipped_puzzle_fits() -> None:
    found = [problem for puzzle in load().puzzles for problem in texts.problems_of(puzzle)]
    assert [str(problem) for problem in found] == []
