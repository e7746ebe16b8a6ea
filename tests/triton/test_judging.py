"""Triton puzzles are judged as Numba's are: poison, guard bands, unchanged inputs, budgets; told in Triton's words."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

from gpulab.catalog.bfloat16 import BFLOAT16, bfloat16, is_bfloat16, widened
from gpulab.judge import poison
from gpulab.judge.memory import place, place_empty
from gpulab.judge.report import Report
from gpulab.runner import interpreter
from tests.judge import local

SPEC = """
from gpulab.catalog.spec import BFLOAT16, Budget, Case, Tolerance, TritonPuzzle, bfloat16, empty, normal
from gpulab.catalog.spec import one_program_per

def cases(rng):
    for n in (1, 63, 64, 65, 200):
        yield Case(out=empty(n{type}), x={make}(normal(rng, n)), n=n, BLOCK=64, sizes={{"n": n}})

def reference(x):
    return 2.0 * x.astype("float64")

PUZZLE = TritonPuzzle(kernel="f", args="out x n BLOCK", launch=one_program_per("out", "BLOCK"){more})
"""
PLAIN = SPEC.format(type="", make="", more=', budget=Budget(global_loads_per_output=1, idea="Load once.")')
HALF = SPEC.format(type=", BFLOAT16", make="bfloat16", more=", tolerance=Tolerance(relative=8e-3)")

KERNEL = """
import triton
import triton.language as tl


@triton.jit
def f(out, x, n, BLOCK: tl.constexpr):
    lanes = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = lanes < n
    {body}
"""
RIGHT = "tl.store(out + lanes, 2 * tl.load(x + lanes, mask=inside), mask=inside)"


def judged(folder: Path, body: str, spec: str = PLAIN) -> Report:
    return local.judge(local.puzzle_of(folder, spec), KERNEL.format(body=body), engine=interpreter)


def told(report: Report) -> str:
    assert report.diagnosis is not None
    return f"{report.verdict}: {report.diagnosis.message} {report.diagnosis.detail} {report.diagnosis.next}"


def test_a_right_kernel_passes_and_its_budget_is_counted(tmp_path: Path) -> None:
    report = judged(tmp_path, RIGHT)
    assert report.passed and report.stars.efficient
    assert report.engines["sim"].budget[0].figure == 1


def test_loading_twice_costs_the_second_star_and_names_the_line(tmp_path: Path) -> None:
    report = judged(tmp_path, "tl.store(out + lanes, tl.load(x + lanes, mask=inside) + "
                              "tl.load(x + lanes, mask=inside), mask=inside)")
    assert report.passed and report.stars.efficient is False
    assert [note.line for note in report.notes if note.kind == "budget"] == [10]


@pytest.mark.parametrize(("body", "said"), [
    ("tl.store(out + lanes, 2 * tl.load(x + lanes))", "out of bounds: Program 0 reads x[1], but x has 1 element."),
    ("tl.store(out + lanes, tl.load(x + lanes, mask=inside), mask=inside)", "wrong answer: out[0] should be"),
    ("tl.store(x + lanes, 2 * tl.load(x + lanes, mask=inside), mask=inside)", "input modified: x[0] is an input"),
    ("tl.store(out + lanes, 2 * tl.load(x + lanes, mask=inside), mask=lanes < n - 1)",
     "not written: out[62] was never written."),
    ("tl.store(out + lanes, 2 * tl.load(x + lanes, mask=lanes < n - 1), mask=inside)",
     "uninitialised read: out[0] depends on lanes that line 10 left out."),
    ("tl.store(out + lanes, tl.load(out + lanes, mask=inside) + tl.load(x + lanes, mask=inside), mask=inside)",
     "uninitialised read: out[0] depends on what out held before your kernel ran."),
    ("tl.store(out + lanes % 64, 2 * tl.load(x + lanes, mask=inside), mask=inside)",
     "race: Program 0 and program 1 both write out[0]: one value is lost."),
    ("pass", "not written: out was never written."),
    ("tl.store(out + lanes, x[lanes], mask=inside)", "does not compile: Line 10 does not compile: a pointer takes no "),
    ("while n > 0:\n        n += 0", "timed out: Time ran out on line 10, in program 0."),
])
def test_each_fault_has_its_verdict_and_says_it_in_tritons_words(tmp_path: Path, body: str, said: str) -> None:
    spec = PLAIN.replace("TritonPuzzle(", "TritonPuzzle(time_limit=0.3, ")
    report = judged(tmp_path, body, spec)
    assert told(report).startswith(said)
    assert "thread" not in told(report) and "Numba" not in told(report)


def test_a_wrong_element_is_traced_to_its_program_and_line(tmp_path: Path) -> None:
    report = judged(tmp_path, "tl.store(out + lanes, 3 * tl.load(x + lanes, mask=inside), mask=inside)")
    assert report.diagnosis is not None and report.diagnosis.mismatch is not None
    assert report.diagnosis.line == 10 and report.diagnosis.mismatch.write is not None


def test_a_plain_function_is_told_to_be_a_kernel_by_tritons_decorator(tmp_path: Path) -> None:
    puzzle = local.puzzle_of(tmp_path, PLAIN)
    report = local.judge(puzzle, "def f(out, x, n, BLOCK):\n    pass\n", engine=interpreter)
    assert "@triton.jit" in told(report) and "cuda" not in told(report)


def test_a_kernel_of_numbas_is_told_the_same(tmp_path: Path) -> None:
    puzzle = local.puzzle_of(tmp_path, PLAIN)
    report = local.judge(puzzle, "from numba import cuda\n@cuda.jit\ndef f(out, x, n, BLOCK):\n    pass\n",
                         engine=interpreter)
    assert report.verdict == "does not compile" and "@triton.jit" in told(report)


@pytest.mark.parametrize("body", [
    "seen = tl.load(x + lanes, mask=inside); huge = tl.max(tl.abs(seen), 0) > 1e6\n"
    "    tl.store(out + lanes, tl.where(huge, 0, 2 * seen), mask=inside)",
    "seen = tl.load(x + lanes, mask=inside); low = tl.min(seen, 0) < -5e3\n"
    "    tl.store(out + lanes, tl.where(low, 0, 2 * seen), mask=inside)",
])
def test_no_threshold_is_too_far_for_lanes_that_were_left_out(tmp_path: Path, body: str) -> None:
    assert judged(tmp_path, body).verdict == "uninitialised read"


@pytest.mark.parametrize("promise", ["tl.multiple_of(lanes, BLOCK)", "tl.max_contiguous(lanes, 8)",
                                     "tl.max_constancy(lanes, 1)"])
def test_promises_to_the_compiler_change_nothing(tmp_path: Path, promise: str) -> None:
    assert judged(tmp_path, f"lanes = {promise}\n    {RIGHT}").passed


def test_bfloat16_tensors_are_judged_by_value(tmp_path: Path) -> None:
    assert judged(tmp_path, RIGHT, HALF).passed
    assert told(judged(tmp_path, RIGHT.replace("2 *", "3 *"), HALF)).startswith("wrong answer: out[0] should be")
    unwritten = RIGHT.replace("mask=inside)", "mask=lanes < n - 1)", 2).replace("lanes < n - 1", "inside", 1)
    assert told(judged(tmp_path, unwritten, HALF)).startswith("not written: out[62]")


def test_an_output_of_bfloat16_needs_a_tolerance(tmp_path: Path) -> None:
    report = judged(tmp_path, RIGHT, HALF.replace(", tolerance=Tolerance(relative=8e-3)", ""))
    assert report.verdict == "environment" and report.diagnosis is not None
    assert "8 bits of precision" in report.diagnosis.message


def test_bfloat16_stays_what_it_is_in_guarded_memory_and_over_a_pipe() -> None:
    array = bfloat16(np.array([1.0, -2.5, 3.1415926], np.float32))
    placed = pickle.loads(pickle.dumps(place(array)))
    assert is_bfloat16(placed.view().dtype) and widened(placed.view()).tolist() == [1.0, -2.5, 3.140625]
    out = place_empty((3,), BFLOAT16)
    for which in (0, 1):
        poison.fill(out.view(), which)
        assert poison.untouched(out.values(), which).all() and not poison.untouched(out.values(), 1 - which).any()
