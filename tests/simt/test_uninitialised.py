"""Reads of memory that nobody has written."""

from __future__ import annotations

import numpy as np
from numba import cuda, float32

import gpulab
from gpulab.engines.simt import host
from tests.simt.marks import line, only

N = 64


@cuda.jit
def partly_filled(out, a, n):
    s = cuda.shared.array(N, float32)
    i, t = cuda.grid(1), cuda.threadIdx.x
    if i < n:
        s[t] = a[i]
    cuda.syncthreads()
    out[i] = s[t]  # <- read


def test_a_shared_cell_that_the_guard_left_out():
    run = gpulab.simulate(partly_filled, 2, N, np.zeros(2 * N, np.float32), np.zeros(100, np.float32), 100)
    found = only(run, "uninitialised read")
    assert (found.array, found.index, found.block, found.thread) == ("s", (36,), (1, 0, 0), (36, 0, 0))
    assert found.line == line(partly_filled, "read")
    assert found.count == 28
    assert "nobody has written" in found.message


def test_all_cells_written():
    run = gpulab.simulate(partly_filled, 2, N, np.zeros(2 * N, np.float32), np.zeros(2 * N, np.float32), 2 * N)
    assert run.findings == []


def test_shared_memory_of_one_block_is_not_initialised_by_another():
    @cuda.jit
    def kernel(out):
        s = cuda.shared.array(1, float32)
        if cuda.blockIdx.x == 0:
            s[0] = 1
        out[cuda.blockIdx.x] = s[0]

    found = only(gpulab.simulate(kernel, 2, 1, np.zeros(2, np.float32)), "uninitialised read")
    assert found.block == (1, 0, 0)


def test_an_accumulator_in_shared_memory_that_was_never_set_to_zero():
    @cuda.jit
    def kernel(out, a):
        s = cuda.shared.array(1, float32)
        cuda.atomic.add(s, 0, a[cuda.threadIdx.x])  # <- add
        cuda.syncthreads()
        out[0] = s[0]

    found = gpulab.simulate(kernel, 1, N, np.zeros(1, np.float32), np.zeros(N, np.float32)).findings[0]
    assert (found.kind, found.line) == ("uninitialised read", line(kernel, "add"))


def test_a_local_array_read_before_it_is_written():
    @cuda.jit
    def kernel(out):
        r = cuda.local.array(3, float32)
        r[0] = 1
        r[1] = 2
        out[cuda.grid(1)] = r[0] + r[1] + r[2]  # <- read

    found = only(gpulab.simulate(kernel, 1, 4, np.zeros(4)), "uninitialised read")
    assert (found.array, found.index, found.line) == ("r", (2,), line(kernel, "read"))


def test_local_arrays_belong_to_one_thread():
    @cuda.jit
    def kernel(out):
        i = cuda.grid(1)
        r = cuda.local.array(1, float32)
        if i == 0:
            r[0] = 5
        if i > 0:
            out[i] = r[0]

    assert only(gpulab.simulate(kernel, 1, 4, np.zeros(4)), "uninitialised read").thread == (1, 0, 0)


def test_device_memory_that_the_host_never_filled():
    @cuda.jit
    def copy(out, a):
        i = cuda.grid(1)
        out[i] = a[i]  # <- copy

    with host.session() as session:
        a = cuda.device_array(N, np.float32)
        copy[1, N](cuda.device_array(N, np.float32), a)
    found = only(session.runs[0], "uninitialised read")
    assert (found.array, found.line) == ("a", line(copy, "copy"))


def test_device_memory_that_a_kernel_filled_first():
    @cuda.jit
    def fill(a):
        a[cuda.grid(1)] = 1

    @cuda.jit
    def copy(out, a):
        i = cuda.grid(1)
        out[i] = a[i]

    with host.session() as session:
        a = cuda.device_array(N, np.float32)
        fill[1, N](a)
        out = cuda.device_array(N, np.float32)
        copy[1, N](out, a)
        assert (out.copy_to_host() == 1).all()
    assert [run.findings for run in session.runs] == [[], []]


def test_a_variable_that_some_threads_never_assigned():
    @cuda.jit
    def kernel(out):
        i = cuda.grid(1)
        if i < 2:
            value = i * 10
        out[i] = value  # <- use

    run = gpulab.simulate(kernel, 1, 4, np.zeros(4))
    found = only(run, "uninitialised read")
    assert (found.line, found.thread) == (line(kernel, "use"), (2, 0, 0))
    assert "value" in found.message


def test_a_variable_assigned_in_every_branch():
    @cuda.jit
    def kernel(out):
        i = cuda.grid(1)
        if i < 2:
            value = 1
        elif i < 3:
            value = 2
        else:
            value = 3
        out[i] = value

    out = np.zeros(4)
    assert gpulab.simulate(kernel, 1, 4, out).findings == []
    assert out.tolist() == [1, 1, 2, 3]


def test_a_variable_assigned_in_a_loop_that_always_runs():
    @cuda.jit
    def kernel(out):
        i = cuda.grid(1)
        for k in range(3):
            value = k
        out[i] = value

    out = np.zeros(4)
    assert gpulab.simulate(kernel, 1, 4, out).findings == []
    assert (out == 2).all()


def test_a_loop_variable_after_a_loop_that_some_threads_never_entered():
    @cuda.jit
    def kernel(out):
        i = cuda.grid(1)
        for k in range(i):
            out[i] += k
        out[i] += k  # <- use

    found = only(gpulab.simulate(kernel, 1, 4, np.zeros(4)), "uninitialised read")
    assert (found.line, found.thread) == (line(kernel, "use"), (0, 0, 0))
