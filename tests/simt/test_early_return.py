"""A thread that has returned is not waited for; one that skips the barrier is."""

import numpy as np
import pytest
from numba import cuda, float32

import gpulab


@cuda.jit
def returns_on_either_condition(out, n):
    cells = cuda.shared.array(32, float32)
    t = cuda.threadIdx.x
    if t >= n or t > 20:
        return
    cells[t] = t
    cuda.syncthreads()
    out[t] = cells[t]


@cuda.jit
def returns_inside_the_loop(out, n):
    cells = cuda.shared.array(32, float32)
    t = cuda.threadIdx.x
    for _ in range(3):
        if t >= n:
            return
        cells[t] = t
        cuda.syncthreads()
        out[t] = cells[t]
        cuda.syncthreads()


@cuda.jit
def barrier_in_a_branch(out, n):
    cells = cuda.shared.array(32, float32)
    t = cuda.threadIdx.x
    if t < n and t < 20:
        cells[t] = t
        cuda.syncthreads()
        out[t] = cells[t]


@pytest.mark.parametrize("kernel", [returns_on_either_condition, returns_inside_the_loop])
def test_threads_that_returned_before_a_barrier_are_a_note(kernel):
    out = np.zeros(32, np.float32)
    run = gpulab.simulate(kernel, 1, 32, out, 5)
    assert run.findings == []
    assert {note.kind for note in run.notes} == {"barrier after return"}
    assert out[:6].tolist() == [0, 1, 2, 3, 4, 0]


def test_threads_that_go_around_a_barrier_are_a_fault():
    run = gpulab.simulate(barrier_in_a_branch, 1, 32, np.zeros(32, np.float32), 5)
    assert [finding.kind for finding in run.findings] == ["barrier divergence"]
