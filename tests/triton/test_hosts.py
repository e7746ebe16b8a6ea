"""Host functions: their launches are caught, judged and counted, and torch computes nothing for them."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from triton.runtime.autotuner import Autotuner
from triton.runtime.jit import JITFunction

from gpulab.judge.session import Problem
from gpulab.runner import interpreter
from gpulab.runner.answers import HostRecord, Options
from gpulab.runner.loading import problem_of

_BEFORE = JITFunction.run, Autotuner.run
interpreter.prepare()  # as in a learner's process, before the learner's file: Triton 3.3 wants a driver to tune
hosts = import_module("tests.triton.hosts")


@pytest.fixture(scope="module", autouse=True)
def caught_launches() -> Any:
    yield
    JITFunction.run, Autotuner.run = _BEFORE


def called(function: Any, n: int = 200, outputs: int = 1) -> tuple[HostRecord, Problem | None, np.ndarray, np.ndarray]:
    x, out, record = np.arange(n, dtype=np.float32), np.full(outputs, np.nan, np.float32), HostRecord()
    problem = problem_of(lambda: interpreter.call(function, [out, x], Options(), record), Path(hosts.__file__))
    return record, problem, out, x


def test_launches_are_run_and_recorded_in_order() -> None:
    record, problem, out, x = called(hosts.total)
    assert problem is None and out[0] == x.sum()
    assert [run.kernel for run in record.runs] == ["partial_sums", "whole_sum"]
    assert record.runs[0].blocks == (4, 1, 1) and not record.runs[0].findings
    assert [site.kernel for site in record.sites] == ["partial_sums", "whole_sum"]
    assert all(site.line for site in record.sites)


def test_a_fault_names_the_tensor_as_the_puzzle_does() -> None:
    record, problem, *_ = called(hosts.too_short)
    assert problem is None
    assert [(found.kind, found.array, found.index) for found in record.runs[0].findings] == [
        ("out of bounds", "x", (200,))]


@pytest.mark.parametrize("function", [hosts.by_torch, hosts.by_torch_in_secret])
def test_what_torch_computes_is_not_allowed(function: Any) -> None:
    _, problem, *_ = called(function)
    assert problem is not None and problem.kind == "not allowed"
    assert problem.message == "Your code has torch do the work: sum."
    assert problem.line is not None


def test_a_grid_of_nothing_is_refused() -> None:
    _, problem, *_ = called(hosts.no_program)
    assert problem is not None and problem.kind == "raised" and "at least one program" in problem.message


def test_each_configuration_of_an_autotuned_kernel_has_its_turn() -> None:
    grids = set()
    for n in (128, 256, 384):
        record, problem, out, x = called(hosts.double, n, n)
        assert problem is None and np.array_equal(out, 2 * x) and not record.runs[0].findings
        grids.add(n // record.runs[0].blocks[0])
    assert grids == {32, 64, 128}
