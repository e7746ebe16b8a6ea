"""Random kernels whose threads meet in memory: the races found are races, and none is missed."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import gpulab
from gpulab.engines.simt.context import LaunchState
from gpulab.engines.simt.findings import Findings
from gpulab.engines.simt.machine import _clocks, prepare
from gpulab.engines.simt.schedule import Schedule
from gpulab.trace import Run
from tests.simt.barrier_kernels import BarrierKernel, barrier_kernel, without


def simulated(kernel: BarrierKernel) -> tuple[Run, np.ndarray, np.ndarray]:
    g, out = np.zeros(kernel.cells(), np.int64), np.zeros(kernel.blocks * kernel.threads, np.int64)
    return gpulab.simulate(kernel.kernel(), kernel.blocks, kernel.threads, g, out), g, out


def complaint(kernel: BarrierKernel) -> str:
    """What is wrong with what the simulator says of a kernel; "" if nothing is."""
    run, g, out = simulated(kernel)
    races, found = kernel.races(), defaultdict(set)
    for finding in run.findings:
        if finding.kind != "race" or finding.other is None:
            return f"a finding that is none: {finding}"
        found[finding.array].add((min(finding.line, finding.other.line), max(finding.line, finding.other.line)))
    for array, pairs in races.items():
        if found[array] - pairs:
            return f"no race on {array}, lines {found[array] - pairs}"
        if pairs and not found[array]:
            return f"missed the race on {array}, lines {pairs}"
    if not any(races.values()):
        expected = kernel.result()
        if (expected[0] != g).any() or (expected[1] != out).any():
            return "wrong values"
    return ""


def smallest(kernel: BarrierKernel) -> BarrierKernel:
    for position in range(len(kernel.steps)):
        attempt = without(kernel, position)
        if complaint(attempt):
            return smallest(attempt)
    return kernel


@settings(phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(st.integers(0, 2**32))
def test_races_are_those_of_a_brute_force_account(seed):
    kernel = barrier_kernel(seed)
    if complaint(kernel):
        kernel = smallest(kernel)
        raise AssertionError(f"seed {seed}: {complaint(kernel)}\n{kernel.text()}")


@pytest.mark.parametrize("size", [1, 32])
def test_threads_and_warps_one_at_a_time_give_the_same_values(size):
    """The same program in steps: whoever goes first, a kernel without races ends alike."""
    kernels = [kernel for kernel in map(barrier_kernel, range(120)) if not any(kernel.races().values())]
    assert len(kernels) > 20
    for kernel in kernels[:20]:
        g, out = np.zeros(kernel.cells(), np.int64), np.zeros(kernel.blocks * kernel.threads, np.int64)
        prepared = prepare(kernel.kernel(), kernel.blocks, kernel.threads, (g, out))
        grid, block = prepared.grid, prepared.block
        state = LaunchState(Findings(grid, block), None, _clocks(grid, block), check=False)
        Schedule(prepared, state, size, lambda b, t: (-b, -t)).run()
        expected = kernel.result()
        np.testing.assert_array_equal(g, expected[0], str(kernel.seed))
        np.testing.assert_array_equal(out, expected[1], str(kernel.seed))
