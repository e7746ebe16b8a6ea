"""Loops that wait for other threads, and loops that never end."""

from __future__ import annotations

import time

import numpy as np
import pytest
from numba import cuda, float32, int32

import gpulab
from tests.simt.marks import line, only


@cuda.jit
def spin_lock(counter, mutex):
    if cuda.threadIdx.x == 0:
        while cuda.atomic.cas(mutex, 0, 0, 1) != 0:
            pass
        cuda.threadfence()
        counter[0] += 1
        cuda.threadfence()
        cuda.atomic.exch(mutex, 0, 0)


def test_a_spin_lock_between_blocks_ends():
    counter = np.zeros(1, np.int32)
    run = gpulab.simulate(spin_lock, 16, 32, counter, np.zeros(1, np.int32))
    assert run.findings == []
    assert counter[0] == 16


def test_a_spin_lock_among_the_lanes_of_a_warp_never_ends():
    """The lane that holds the lock waits for its warp, and the warp for the lock."""

    @cuda.jit
    def kernel(counter, mutex):
        while cuda.atomic.cas(mutex, 0, 0, 1) != 0:  # <- lock
            pass
        counter[0] += 1
        cuda.atomic.exch(mutex, 0, 0)

    run = gpulab.simulate(kernel, 1, 32, np.zeros(1, np.int32), np.zeros(1, np.int32), time_limit=20)
    found = [finding for finding in run.findings if finding.kind == "timed out"]
    assert [finding.line for finding in found] == [line(kernel, "lock")]
    assert "never ends" in found[0].message


def test_a_lock_that_is_never_released():
    @cuda.jit
    def kernel(mutex):
        if cuda.threadIdx.x == 0:
            while cuda.atomic.cas(mutex, 0, 0, 1) != 0:  # <- lock
                pass

    found = only(gpulab.simulate(kernel, 2, 32, np.zeros(1, np.int32), time_limit=20), "timed out")
    assert found.line == line(kernel, "lock")
    assert found.block == (1, 0, 0)


def test_a_loop_whose_state_is_frozen():
    @cuda.jit
    def kernel(out):
        i = cuda.grid(1)
        while out[i] < 10:  # <- loop
            pass

    started = time.monotonic()
    found = only(gpulab.simulate(kernel, 1, 32, np.zeros(32), time_limit=60), "timed out")
    assert found.line == line(kernel, "loop") or found.line == line(kernel, "loop") + 1
    assert time.monotonic() - started < 30, "proved, not waited for"


def test_a_step_that_underflows_to_zero_never_ends():
    @cuda.jit
    def kernel(out):
        step = 8
        total = 0
        while total < 100:
            step //= 2
            total += step
        out[0] = total

    assert only(gpulab.simulate(kernel, 1, 1, np.zeros(1), time_limit=60), "timed out").thread == (0, 0, 0)


def test_an_endless_loop_that_changes_something_is_stopped_by_the_time_limit():
    @cuda.jit
    def kernel(out):
        k = 0
        while k >= 0:
            k += 1
            out[0] = k % 7

    found = only(gpulab.simulate(kernel, 1, 1, np.zeros(1), time_limit=0.5), "timed out")
    assert "time" in found.message


def test_an_honest_long_while_loop_ends():
    @cuda.jit
    def kernel(out):
        i = cuda.grid(1)
        x = i + 1
        steps = 0
        while x != 1:
            x = x // 2 if x % 2 == 0 else 3 * x + 1
            steps += 1
        out[i] = steps

    out = np.zeros(64, np.int64)
    assert gpulab.simulate(kernel, 1, 64, out).findings == []
    assert out[26] == 111  # the Collatz sequence of 27


@cuda.jit
def look_back(out, a, flags, sums):
    """A scan in one pass: each block waits for the sum of the block before it."""
    t, b = cuda.threadIdx.x, cuda.blockIdx.x
    s = cuda.shared.array(33, int32)
    s[t] = a[cuda.grid(1)]
    cuda.syncthreads()
    if t == 0:
        total = 0
        for k in range(32):
            total += s[k]
            s[k] = total
        before = 0
        if b > 0:
            while cuda.atomic.add(flags, b - 1, 0) == 0:  # <- wait
                pass
            cuda.threadfence()
            before = sums[b - 1]
        sums[b] = before + total
        cuda.threadfence()
        cuda.atomic.exch(flags, b, 1)
        s[32] = before
    cuda.syncthreads()
    out[cuda.grid(1)] = s[t] + s[32]


@pytest.mark.parametrize("order", [None, 1, 2])
def test_a_scan_that_looks_back_to_the_block_before(order):
    a, out = np.arange(32 * 9, dtype=np.int32) % 11, np.zeros(32 * 9, np.int32)
    run = gpulab.simulate(look_back, 9, 32, out, a, np.zeros(9, np.int32), np.zeros(9, np.int32), order=order)
    assert run.findings == []
    np.testing.assert_array_equal(out, np.cumsum(a))


def test_a_scan_that_looks_ahead_never_ends_at_the_last_block():
    @cuda.jit
    def kernel(flags):
        b = cuda.blockIdx.x
        if cuda.threadIdx.x == 0:
            while cuda.atomic.add(flags, (b + 1) % 3, 0) == 0:  # <- wait
                pass
            cuda.atomic.exch(flags, b, 1)

    found = only(gpulab.simulate(kernel, 3, 32, np.zeros(3, np.int32), time_limit=30), "timed out")
    assert found.line == line(kernel, "wait")


@cuda.jit
def two_phases(out, a, between):
    g = cuda.cg.this_grid()
    i = cuda.grid(1)
    between[i] = a[i] * 2  # <- write
    g.sync()
    out[i] = between[(i + 32) % a.size]


def test_grid_sync_orders_all_blocks():
    a, out = np.arange(128.0), np.zeros(128)
    run = gpulab.simulate(two_phases, 4, 32, out, a, np.zeros(128))
    assert run.findings == []
    np.testing.assert_array_equal(out, np.roll(a * 2, -32))


def test_a_barrier_in_place_of_grid_sync_is_a_race():
    @cuda.jit
    def kernel(out, a, between):
        i = cuda.grid(1)
        between[i] = a[i] * 2  # <- write
        cuda.syncthreads()
        out[i] = between[(i + 32) % a.size]  # <- read

    found = only(gpulab.simulate(kernel, 4, 32, np.zeros(128), np.arange(128.0), np.zeros(128)), "race")
    assert {found.line, found.other.line} == {line(kernel, "write"), line(kernel, "read")}


def test_values_of_a_waiting_kernel_come_from_one_run_only():
    """Run in lockstep first, then with turns: the arguments are as they were in between."""

    @cuda.jit
    def kernel(total, ready):
        cuda.atomic.add(total, 0, float32(1))
        if cuda.threadIdx.x == 0:
            if cuda.blockIdx.x == 0:
                while cuda.atomic.add(ready, 0, 0) == 0:
                    pass
            else:
                cuda.atomic.exch(ready, 0, 1)

    total = np.zeros(1, np.float32)
    assert gpulab.simulate(kernel, 2, 32, total, np.zeros(1, np.int32)).findings == []
    assert total[0] == 64


def test_raising_in_a_kernel_is_a_finding():
    @cuda.jit
    def kernel(out):
        i = cuda.grid(1)
        if i == 3:
            raise ValueError("three")  # <- raise
        out[i] = 1

    out = np.zeros(8)
    found = only(gpulab.simulate(kernel, 1, 8, out), "raised")
    assert (found.line, found.thread) == (line(kernel, "raise"), (3, 0, 0))
    assert "ValueError" in found.message
    assert out.tolist() == [1, 1, 1, 0, 1, 1, 1, 1]


def test_a_loop_that_looks_at_a_row_of_its_own_each_time_never_ends():
    @cuda.jit
    def kernel(out, a):
        i = cuda.grid(1)
        total = 0.0
        while total < 10:  # <- loop
            total = 0.0
            row = a[i]
            for x, y in zip(row, a[i]):  # noqa: B905 (no kernel has strict)
                total += x * y
        out[i] = total

    found = only(gpulab.simulate(kernel, 1, 8, np.zeros(8), np.ones((8, 4))), "timed out")
    assert abs(found.line - line(kernel, "loop")) <= 3
