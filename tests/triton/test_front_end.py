"""What Triton refuses is told in plain words and on the learner's line."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest
import triton

from gpulab.engines.simt.errors import DoesNotCompile
from gpulab.engines.triton.compiling import compile_front
from gpulab.engines.triton.internals import language
from gpulab.engines.triton.launching import launch
from gpulab.judge import stopped, triton_errors
from gpulab.judge.session import Problem
from gpulab.judge.source import Source
from gpulab.judge.wording import WIDTH
from tests.triton import kernels, mistakes

MISTAKES = [name for name, value in vars(mistakes).items() if isinstance(value, triton.JITFunction)
            and not name.startswith("_")]


def refused(kernel: Any) -> DoesNotCompile:
    x, out = np.zeros(128, np.float32), np.zeros(128, np.float32)
    with pytest.raises(DoesNotCompile) as caught:
        compile_front(kernel, {"x": x, "out": out, "n": 100, "BLOCK": 64})
    return caught.value


def marked(kernel: Any) -> int:
    """The line at fault: of the kernel, or of the helper that it calls."""
    for one in (kernel, mistakes._helper):
        lines, start = inspect.getsourcelines(one.fn)
        for number, line in enumerate(lines):
            if "# <-" in line:
                return start + number
    raise AssertionError


@pytest.mark.parametrize("name", MISTAKES)
def test_a_refusal_names_the_learners_line(name: str) -> None:
    found = refused(getattr(mistakes, name))
    assert found.line == marked(getattr(mistakes, name)), found.message


@pytest.mark.parametrize("name", MISTAKES)
def test_a_refusal_is_told_in_plain_words_that_fit_their_rows(name: str) -> None:
    found = refused(getattr(mistakes, name))
    assert triton_errors.in_plain_words(found.message) is not None, found.message
    told = stopped.problem(Problem("does not compile", found.message, found.line), Source("\n" * 200))
    for text in (told.message, told.detail, told.next):
        assert len(text) <= WIDTH and text.endswith((".", "?", ")")), text
    assert "Numba" not in f"{told.message} {told.detail} {told.next}"


def test_what_is_not_known_keeps_tritons_words() -> None:
    told = stopped.problem(Problem("does not compile", "Triton: something quite new", 3), Source("\n" * 9))
    assert told.message == "Line 3 does not compile: something quite new."
    assert told.detail == "Triton refuses it before anything runs."


def test_an_if_on_a_block_is_refused_even_where_the_front_end_takes_it() -> None:
    told = triton_errors.in_plain_words("Triton: truth value of a block")
    assert told is not None and told[0] == "if cannot look at a whole block of values"


def test_right_kernels_are_taken_before_and_after_they_run_here() -> None:
    x, y, out = (np.zeros(100, np.float32) for _ in range(3))
    arguments = {"out": out, "x": x, "y": y, "n": 100, "BLOCK": 64}
    compile_front(kernels.add, arguments)
    launch(kernels.add, (2,), arguments)
    compile_front(kernels.softmax, {"out": out, "x": x, "n": 100, "BLOCK": 128})


def test_the_language_is_tritons_own_but_while_a_kernel_runs() -> None:
    import triton.language as tl

    before = (tl.load, tl.sum, tl.tensor.__add__, triton.JITFunction.__call__)
    language()
    launch(kernels.same_value, (1,), {"out": np.zeros(16, np.float32), "BLOCK": 16})
    assert before == (tl.load, tl.sum, tl.tensor.__add__, triton.JITFunction.__call__)
    with pytest.raises(RuntimeError, match="outside of the scope of a kernel"):
        kernels.helper(1, 2)
