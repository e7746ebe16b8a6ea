"""Front matter and spec must say the same, and the text must fit a screen."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpulab.authoring import agreement, texts
from gpulab.catalog import load
from gpulab.catalog.specs import cases_of, load_spec
from tests.catalog.folder import spoil, write_content

SPEC = """\
import numpy as np
from gpulab.catalog.spec import Bench, Budget, Case, NumbaPuzzle, empty, normal, one_thread_per, sizes

def make(rng, n):
    return Case(a=normal(rng, n), out=empty(n), n=n)

def cases(rng):
    for n in sizes(64):
        yield make(rng, n)

def reference(a):
    return a

PUZZLE = NumbaPuzzle(kernel="f", args="out a n", launch=one_thread_per("out", 64),
                     budget=Budget(global_loads_per_output=1.04, needed=True, idea="Load once."),
                     bench=Bench(sizes={"n": 1024}, make=make, fast=0.8))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = write_content(tmp_path) / "puzzles/shared/pooling"
    (folder / "spec.py").write_text(SPEC)
    spoil(folder / "statement.md", "efficient_needed", "  fast: at least 80 % of the copy bandwidth\nefficient_needed")
    return folder


def problems(folder: Path) -> list[dict[str, object]]:
    spec = load_spec(folder / "spec.py")
    return list(agreement.problems_of("shared/pooling", spec, list(cases_of(spec, folder / "spec.py", 1))))


def test_a_statement_that_agrees_has_no_problem(folder: Path) -> None:
    assert problems(folder) == []


@pytest.mark.parametrize(("file", "old", "new", "line", "said"), [
    ("statement.md", "f(out, a, n)", "f(out, a)", 6, "The statement asks for f(out, a), the spec for f(out, a, n)."),
    ("statement.md", "at most 1.04", "at most 2.04", 10, "names no limit of the budget (1.04)"),
    ("statement.md", "efficient_needed: true\n", "", 9, "The spec says needed=True"),
    ("statement.md", "80 %", "70 %", 11, "does not name 80 %"),
    ("statement.md", "  fast: at least 80 % of the copy bandwidth\n", "", 9, "the third star is not mentioned"),
    ("spec.py", ", fast=0.8", "", 11, "The spec's bench has no fast="),
    ("spec.py", ', idea="Load once."', "", None, "The budget has no idea="),
    ("spec.py", "normal(rng, n)", "np.ones(n, np.float32)", None, "all elements of a are equal"),
    ("spec.py", 'budget=Budget(global_loads_per_output=1.04, needed=True, idea="Load once."),\n', "\n", 10,
     "The spec has no budget"),
    ("statement.md", "language: numba", "language: triton", 4, "language: triton, the spec has a NumbaPuzzle."),
    ("statement.md", "aliases: []", "hunt: true", 13, "The spec has no answer=, the statement says hunt: true."),
])
def test_a_disagreement_is_named_with_its_line(folder: Path, file: str, old: str, new: str, line: int | None,
                                               said: str) -> None:
    spoil(folder / file, old, new)
    found = problems(folder)[0]
    assert said in str(found["message"])
    assert found["line"] == line
    assert found["cure"]


@pytest.mark.parametrize(("text", "limit", "names"), [
    ("at most 2 k global loads per output", 128, True), ("at most k / 8 loads", 8, True), ("k / 8 loads", 9, False),
    ("one launch is enough", 1, True), ("no atomics", 0, True), ("at most 1.04 loads", 1.04, True), ("few", 1, False),
])
def test_a_limit_may_be_a_word_or_a_formula(text: str, limit: float, names: bool) -> None:
    assert agreement._says(text, limit, {"k": 64}) is names


def test_a_text_that_fills_more_than_a_screen_is_named(folder: Path) -> None:
    puzzle = load(folder.parents[2]).puzzles[2]
    assert not [problem for problem in texts.problems_of(puzzle) if "rows long" in problem.message]
    spoil(folder / "statement.md", "The task.", "The task.\n" * 20)
    assert [problem for problem in texts.problems_of(puzzle) if "rows long" in problem.message]
