"""A size that is drawn for each check: no file can have been written for it, and no budget is counted on it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gpulab.catalog import load
from gpulab.catalog.spec import larger
from gpulab.catalog.specs import cases_of, load_spec
from tests.judge import specs
from tests.judge.local import judge, puzzle_of

ONE_MORE = "    yield drawn(Case(a=normal(rng, m), out=empty(m), n=m))\n"
SPEC = specs.STENCIL.replace("\ndef reference", "    m = larger(rng, 1000)\n" + ONE_MORE + "\ndef reference").replace(
    ", uses_shared=True, needed=True", "")
PLAIN = """\
from numba import cuda


@cuda.jit
def f(out, a, n):
    i = cuda.grid(1)
    if i < n and n <= 1000:
        out[i] = a[i] + (a[i - 1] if i >= 1 else 0) + (a[i - 2] if i >= 2 else 0)
"""
PUZZLES = load().puzzles


def test_a_kernel_for_the_listed_sizes_alone_is_found_by_the_drawn_one(tmp_path: Path) -> None:
    report = judge(puzzle_of(tmp_path, SPEC), PLAIN)
    assert report.verdict == "not written"
    found = report.diagnosis
    assert found is not None and found.sizes["n"] > 1000
    assert found.detail == f"All listed sizes are right; n = {found.sizes['n']} was drawn for this check."
    assert found.next == "Which number in your file fits the listed sizes, and no others?"


def test_budgets_are_counted_on_a_size_that_stays(tmp_path: Path) -> None:
    puzzle, source = puzzle_of(tmp_path, SPEC), PLAIN.replace(" and n <= 1000", "")
    figures = {judge(puzzle, source, seed=seed).engines["sim"].budget[0].figure for seed in (1, 2, 3)}
    assert figures == {(1000 + 999 + 998) / 1000}


@pytest.mark.parametrize("puzzle", PUZZLES, ids=[puzzle.id for puzzle in PUZZLES])
def test_every_puzzle_draws_a_size(puzzle: object) -> None:
    path = puzzle.spec  # type: ignore[attr-defined]
    spec = load_spec(path)
    drawn = [[case.sizes for case in cases_of(spec, path, seed) if case.drawn] for seed in range(6)]
    assert all(drawn) and len({str(sizes) for sizes in drawn}) > 1


def test_a_larger_length_lies_above_and_at_most_at_most() -> None:
    rng = np.random.default_rng(3)
    assert {larger(rng, 1000, 1002) for _ in range(40)} == {1001, 1002}
    assert all(1000 < larger(rng, 1000) <= 1501 for _ in range(40))
