"""Kernels that numba-cuda ships as tests do in the simulator what they do on a GPU.

`outcomes.json` says what came of each when `reasons --keep` last ran; what passed must go on passing. What does not
pass names its construct there.
"""

from __future__ import annotations

import json
import os

import pytest

from tests.simt.numba_suite.reasons import EXPECTED, ON_A_GPU
from tests.simt.numba_suite.survey import modules, outcomes

SMALL = (
    "cudapy.test_array_args", "cudapy.test_boolean", "cudapy.test_device_func", "cudapy.test_forall",
    "cudapy.test_idiv", "cudapy.test_localmem", "cudapy.test_sm", "cudapy.test_sync", "cudapy.test_warp_ops",
    "cudadrv.test_cuda_ndarray", "cudadrv.test_events", "cudadrv.test_streams", "doc_examples.test_vecadd",
)
"""Run every time; the others are slow."""

ALARMS = {
    "cudapy.test_exception TestException::test_raise_causing_warp_diverge": "threads add to y[i] of one another",
    "cudapy.test_freevar TestFreeVar::test_freevar": "reads shared memory that nobody wrote",
    "cudapy.test_sm TestSharedMemoryIssue::test_issue_2393": "sums shared memory that nobody wrote",
    "cudapy.test_sm_creation TestSharedMemoryCreation::test_global_constants": "copies shared memory that nobody wrote",
    "doc_examples.test_sessionize TestSessionization::test_ex_sessionize": "grid.sync() in a branch that some take",
}
"""Tests that pass and have findings: what their kernels do that is not sound."""


@pytest.fixture(scope="module")
def expected():
    return json.loads(EXPECTED.read_text())


def _still(expected, chosen):
    rows = {(row["module"], row["test"]): row for row in outcomes(list(chosen))}
    lost, alarms = [], []
    for module in chosen:
        for test, came in expected.get(module, {}).items():
            row = rows.get((module, test), {"outcome": "not run", "why": "", "findings": []})
            if came == "passed" and row["outcome"] != "passed":
                lost.append(f"{module} {test}: {row['outcome']}, {row['why']}")
            if row["outcome"] == "passed" and row["findings"] and f"{module} {test}" not in ALARMS:
                alarms.append(f"{module} {test}: {row['findings'][0]}")
    return lost, alarms


def test_a_few_modules_still_pass_without_a_finding(expected):
    assert _still(expected, SMALL) == ([], [])


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.skipif("GPULAB_NUMBA_SUITE" not in os.environ, reason="a quarter of an hour: set GPULAB_NUMBA_SUITE=1")
def test_all_modules_still_pass_without_a_finding(expected):
    assert _still(expected, [module for module in modules() if module in expected and module not in SMALL]) == ([], [])


def test_every_test_that_passes_on_a_gpu_is_accounted_for(expected):
    told = {(module, test) for module, tests in expected.items() for test in tests}
    missing = [f"{module} {test}" for module, tests in ON_A_GPU.items() for test in tests if (module, test) not in told]
    assert not missing
