"""Many threads store one value into one cell, and one of them goes on: it races with all the others."""

from __future__ import annotations

import numpy as np
import pytest
from numba import cuda, float32

import gpulab


@cuda.jit
def zero_first(out, a, n):
    i = cuda.grid(1)
    if i < n:
        out[0] = 0
        out[n - 1 - i] = a[i]


@cuda.jit
def zero_then_read(out, a, n):
    cell = cuda.shared.array(1, float32)
    i = cuda.grid(1)
    cell[0] = 0
    if i == n - 1:
        cell[0] = a[i]
        out[0] = cell[0]


@cuda.jit
def in_turn(out, a, n):
    cell = cuda.shared.array(1, float32)
    i = cuda.grid(1)
    cell[0] = 0
    cuda.syncthreads()
    if i == n - 1:
        cell[0] = a[i]
        out[0] = cell[0]


@cuda.jit
def the_same_again(out, a, n):
    i = cuda.grid(1)
    out[0] = 7
    if i == n - 1:
        out[0] = 7


def kinds(kernel, blocks, threads):
    n = blocks * threads
    run = gpulab.simulate(kernel, blocks, threads, np.zeros(n, np.float32), np.arange(1, n + 1, dtype=np.float32), n)
    return [finding.kind for finding in run.findings]


@pytest.mark.parametrize(("kernel", "blocks"), [(zero_first, 1), (zero_first, 2), (zero_then_read, 1)])
def test_the_last_of_several_writers_races_with_the_first(kernel, blocks):
    assert set(kinds(kernel, blocks, 64)) == {"race"}


@pytest.mark.parametrize("kernel", [in_turn, the_same_again])
def test_ordered_or_equal_writes_do_not_race(kernel):
    assert kinds(kernel, 1, 64) == []
