"""Indices outside an array, in front of it, and on purpose from its end."""

from __future__ import annotations

import numpy as np
import pytest
from numba import cuda, float32

import gpulab
from tests.simt.marks import line, only


@cuda.jit
def add_ten(out, a):
    i = cuda.grid(1)
    out[i] = a[i] + 10  # <- add


def test_a_missing_guard_is_a_read_and_a_write_out_of_bounds():
    run = gpulab.simulate(add_ten, 1, 8, np.zeros(5), np.zeros(5))
    assert [(f.kind, f.access, f.array, f.index, f.thread, f.line) for f in run.findings] == [
        ("out of bounds", "reads", "a", (5,), (5, 0, 0), line(add_ten, "add")),
        ("out of bounds", "writes", "out", (5,), (5, 0, 0), line(add_ten, "add")),
    ]
    assert run.findings[0].message == "Thread 5 reads a[5], but a has 5 elements."
    assert run.findings[0].count == 3


def test_the_run_goes_on_after_a_bad_access():
    out = np.zeros(5)
    gpulab.simulate(add_ten, 1, 8, out, np.arange(5.0))
    assert out.tolist() == [10, 11, 12, 13, 14]


def test_neighbours_in_memory_are_left_alone():
    memory = np.zeros(10)
    gpulab.simulate(add_ten, 1, 8, memory[:5], np.zeros(5))
    assert (memory[5:] == 0).all()


def test_the_thread_and_block_that_are_outside_are_named():
    run = gpulab.simulate(add_ten, (3, 2), 32, np.zeros(70), np.zeros(70))
    assert run.findings[0].block == (2, 0, 0)
    assert run.findings[0].thread == (6, 0, 0)
    assert "of block" in run.findings[0].message


def test_a_computed_negative_index():
    @cuda.jit
    def kernel(out, a):
        i = cuda.grid(1)
        out[i] = a[i - 1]  # <- left

    found = only(gpulab.simulate(kernel, 1, 4, np.zeros(4), np.zeros(4)), "out of bounds")
    assert (found.index, found.thread) == ((-1,), (0, 0, 0))
    assert "negative" in found.message


def test_a_literal_negative_index_is_a_note_and_counts_from_the_end():
    @cuda.jit
    def kernel(out, a):
        i = cuda.grid(1)
        row = a[i]
        out[i] = row[-1] + a[i, -2]  # <- end

    a, out = np.arange(12.0).reshape(4, 3), np.zeros(4)
    run = gpulab.simulate(kernel, 1, 4, out, a)
    assert run.findings == []
    assert out.tolist() == [3, 9, 15, 21]
    assert [(note.kind, note.line) for note in run.notes] == [("negative index", line(kernel, "end"))] * len(run.notes)
    assert run.notes


def test_a_literal_negative_index_may_still_be_outside():
    @cuda.jit
    def kernel(out, a):
        out[0] = a[-5]

    assert only(gpulab.simulate(kernel, 1, 1, np.zeros(1), np.zeros(3)), "out of bounds").index == (-2,)


def test_a_module_constant_that_is_negative_counts_from_the_end_too():
    last = -1

    @cuda.jit
    def kernel(out, a):
        out[0] = a[last]

    out = np.zeros(1)
    run = gpulab.simulate(kernel, 1, 1, out, np.arange(3.0))
    assert (run.findings, out[0]) == ([], 2.0)


def test_two_dimensional_indices():
    @cuda.jit
    def kernel(out, a):
        x, y = cuda.grid(2)
        out[y, x] = a[y, x]  # <- copy

    run = gpulab.simulate(kernel, 1, (4, 4), np.zeros((4, 4)), np.zeros((4, 3)))
    found = only(run, "out of bounds")
    assert (found.array, found.index, found.thread) == ("a", (0, 3), (3, 0, 0))
    assert found.message == "Thread (3, 0) reads a[0, 3], but a is 4 x 3."


def test_an_index_past_a_row_but_inside_the_matrix():
    """Memory there exists, but it is the next row: still out of bounds."""

    @cuda.jit
    def kernel(out, a):
        out[0] = a[0, 3]

    assert only(gpulab.simulate(kernel, 1, 1, np.zeros(1), np.zeros((2, 3))), "out of bounds").index == (0, 3)


def test_rows_and_columns_mixed_up():
    @cuda.jit
    def kernel(out, a):
        x, y = cuda.grid(2)
        if x < a.shape[0] and y < a.shape[1]:
            out[y, x] = a[y, x]

    run = gpulab.simulate(kernel, 1, (4, 4), np.zeros((4, 2)), np.zeros((4, 2)))
    assert {finding.kind for finding in run.findings} == {"out of bounds"}


def test_shared_arrays_have_bounds_too():
    @cuda.jit
    def kernel(out):
        s = cuda.shared.array(32, float32)
        t = cuda.threadIdx.x
        s[t + 1] = t  # <- store
        cuda.syncthreads()
        out[t] = s[t] if t > 0 else float32(0)

    found = only(gpulab.simulate(kernel, 1, 32, np.zeros(32, np.float32)), "out of bounds")
    assert (found.array, found.index, found.access) == ("s", (32,), "writes")


def test_the_next_block_s_shared_array_is_out_of_reach():
    @cuda.jit
    def kernel(out):
        s = cuda.shared.array(4, float32)
        t = cuda.threadIdx.x
        s[t] = cuda.blockIdx.x
        cuda.syncthreads()
        out[cuda.grid(1)] = s[t + 2]

    found = only(gpulab.simulate(kernel, 2, 4, np.zeros(8, np.float32)), "out of bounds")
    assert found.index == (4,)
    assert found.count == 4


def test_local_arrays_have_bounds_too():
    @cuda.jit
    def kernel(out):
        r = cuda.local.array(4, float32)
        for k in range(5):
            r[k] = k
        out[cuda.grid(1)] = r[3]

    assert only(gpulab.simulate(kernel, 1, 2, np.zeros(2)), "out of bounds").array == "r"


def test_atomics_have_bounds_too():
    @cuda.jit
    def kernel(bins, a):
        cuda.atomic.add(bins, a[cuda.grid(1)], 1)

    bins = np.zeros(3, np.int32)
    found = only(gpulab.simulate(kernel, 1, 4, bins, np.array([0, 1, 2, 3])), "out of bounds")
    assert (found.access, found.index) == ("updates", (3,))
    assert bins.tolist() == [1, 1, 1]


def test_a_row_that_does_not_exist_is_found_where_it_is_taken():
    @cuda.jit
    def kernel(out, a):
        i = cuda.grid(1)
        row = a[i]  # <- row
        total = 0.0
        for k in range(row.size):
            total += row[k]
        if i < out.size:
            out[i] = total

    out = np.zeros(3)
    found = only(gpulab.simulate(kernel, 1, 4, out, np.ones((3, 5))), "out of bounds")
    assert (found.line, found.access, found.thread) == (line(kernel, "row"), "takes", (3, 0, 0))
    assert out.tolist() == [5, 5, 5]


def test_a_slice_clips_as_in_python():
    @cuda.jit
    def kernel(out, a):
        part = a[2:100]
        out[0] = len(part)
        out[1] = part[len(part) - 1]

    out = np.zeros(2)
    assert gpulab.simulate(kernel, 1, 1, out, np.arange(5.0)).findings == []
    assert out.tolist() == [3, 4]


def test_an_index_past_the_end_of_a_slice():
    @cuda.jit
    def kernel(out, a):
        part = a[1:3]
        out[0] = part[2]

    found = only(gpulab.simulate(kernel, 1, 1, np.zeros(1), np.zeros(5)), "out of bounds")
    assert found.index == (2,)


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.uint32, np.uint64])
def test_indices_of_any_integer_type(dtype):
    @cuda.jit
    def kernel(out, where):
        i = cuda.grid(1)
        out[where[i]] = i

    out = np.zeros(4, np.int64)
    assert gpulab.simulate(kernel, 1, 4, out, np.array([3, 1, 0, 2], dtype)).findings == []
    assert out.tolist() == [2, 1, 3, 0]


def test_an_empty_array():
    found = gpulab.simulate(add_ten, 1, 1, np.zeros(0), np.zeros(0)).findings
    assert [f.kind for f in found] == ["out of bounds"] * 2
    assert "has 0 elements" in found[0].message


def test_several_lines_that_go_wrong_are_several_findings():
    @cuda.jit
    def kernel(out, a):
        i = cuda.grid(1)
        out[i] = a[i + 1]  # <- first
        out[i] += a[i + 2]  # <- second

    run = gpulab.simulate(kernel, 1, 4, np.zeros(4), np.zeros(4))
    assert [f.line for f in run.findings] == [line(kernel, "first"), line(kernel, "second")]
