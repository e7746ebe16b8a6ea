"""Barriers that not every thread of a block reaches."""

from __future__ import annotations

import numpy as np
import pytest
from numba import cuda, float32

import gpulab
from tests.simt.marks import line, only

N = 64


@cuda.jit
def barrier_in_a_branch(out, n):
    t = cuda.threadIdx.x
    if t < n:
        out[t] = t
        cuda.syncthreads()  # <- barrier


def test_a_barrier_in_a_branch_that_some_threads_do_not_take():
    found = only(gpulab.simulate(barrier_in_a_branch, 1, N, np.zeros(N), 40), "barrier divergence")
    assert found.line == line(barrier_in_a_branch, "barrier")
    assert found.thread[0] >= 40 > found.other.thread[0]
    assert "thread 40 does not come to the barrier" in found.message.lower()


def test_a_barrier_in_a_branch_that_all_take_is_fine():
    assert gpulab.simulate(barrier_in_a_branch, 2, N, np.zeros(N), N).findings == []


def test_a_barrier_in_a_branch_that_whole_blocks_take_or_not():
    @cuda.jit
    def kernel(out):
        if cuda.blockIdx.x % 2 == 0:
            out[cuda.grid(1)] = 1
            cuda.syncthreads()

    assert gpulab.simulate(kernel, 4, N, np.zeros(4 * N)).findings == []


def test_only_the_block_that_diverges_is_named():
    @cuda.jit
    def kernel(out, n):
        i = cuda.grid(1)
        if i < n:
            cuda.syncthreads()  # <- barrier
            out[i] = 1

    found = only(gpulab.simulate(kernel, 3, N, np.zeros(3 * N), 2 * N + 10), "barrier divergence")
    assert found.block == (2, 0, 0)
    assert found.thread == (10, 0, 0)


def test_loops_whose_trip_counts_differ():
    @cuda.jit
    def kernel(out):
        t = cuda.threadIdx.x
        for k in range(t // 32 + 1):
            out[t] += k
            cuda.syncthreads()  # <- barrier

    run = gpulab.simulate(kernel, 1, N, np.zeros(N))
    found = only(run, "barrier divergence")
    assert found.line == line(kernel, "barrier")
    assert found.thread[0] < 32 <= found.other.thread[0]


def test_a_while_loop_that_some_threads_leave_early():
    @cuda.jit
    def kernel(out):
        t = cuda.threadIdx.x
        left = t
        while left > 0:
            cuda.syncthreads()  # <- barrier
            left -= 8
        out[t] = left

    assert only(gpulab.simulate(kernel, 1, N, np.zeros(N)), "barrier divergence").line == line(kernel, "barrier")


def test_a_break_before_the_barrier():
    @cuda.jit
    def kernel(out):
        t = cuda.threadIdx.x
        for k in range(4):
            if k == 2 and t == 5:
                break
            cuda.syncthreads()  # <- barrier
            out[t] = k
        out[t] += 1

    found = only(gpulab.simulate(kernel, 1, N, np.zeros(N)), "barrier divergence")
    assert found.thread == (5, 0, 0)


def test_a_continue_before_the_barrier():
    @cuda.jit
    def kernel(out):
        t = cuda.threadIdx.x
        for k in range(4):
            if t % 2 == 1:
                continue
            cuda.syncthreads()  # <- barrier
            out[t] = k

    found = only(gpulab.simulate(kernel, 1, N, np.zeros(N)), "barrier divergence")
    assert found.thread[0] % 2 == 1


def test_two_barriers_in_two_branches_are_not_one_barrier():
    """Both halves wait, but at different lines: on a GPU the outcome is undefined."""

    @cuda.jit
    def kernel(out):
        t = cuda.threadIdx.x
        if t < 32:
            out[t] = 1
            cuda.syncthreads()  # <- low
        else:
            out[t] = 2
            cuda.syncthreads()  # <- high

    run = gpulab.simulate(kernel, 1, N, np.zeros(N))
    assert {finding.kind for finding in run.findings} == {"barrier divergence"}
    assert {finding.line for finding in run.findings} <= {line(kernel, "low"), line(kernel, "high")}


@cuda.jit
def early_return(out, n):
    i = cuda.grid(1)
    if i >= n:
        return
    cuda.syncthreads()  # <- barrier
    out[i] = i


@pytest.mark.parametrize("n", [40, 64, 100])
def test_a_barrier_after_an_early_return_is_a_note_and_no_fault(n):
    out = np.zeros(128)
    run = gpulab.simulate(early_return, 2, N, out, n)
    assert run.findings == []
    notes = [(note.kind, note.line) for note in run.notes]
    assert notes == ([("barrier after return", line(early_return, "barrier"))] if n < 128 else [])
    np.testing.assert_array_equal(out[:n], np.arange(n))


def test_a_barrier_inside_a_device_function():
    @cuda.jit(device=True)
    def meet():
        cuda.syncthreads()

    @cuda.jit
    def kernel(out):
        if cuda.threadIdx.x < 10:
            meet()
        out[cuda.threadIdx.x] = 1

    found = only(gpulab.simulate(kernel, 1, 32, np.zeros(32)), "barrier divergence")
    assert found.line == meet.py_func.__code__.co_firstlineno + 2


def test_a_counting_barrier_in_a_branch():
    @cuda.jit
    def kernel(out):
        t = cuda.threadIdx.x
        if t < 32:
            out[t] = cuda.syncthreads_count(t % 2)  # <- barrier

    assert only(gpulab.simulate(kernel, 1, N, np.zeros(N)), "barrier divergence").line == line(kernel, "barrier")


def test_a_divergent_barrier_does_not_stop_the_rest():
    """After a fault the run goes on: what comes later is still checked."""

    @cuda.jit
    def kernel(out):
        t = cuda.threadIdx.x
        if t < 8:
            cuda.syncthreads()  # <- barrier
        out[t + 60] = 1  # <- store

    run = gpulab.simulate(kernel, 1, N, np.zeros(N))
    assert [finding.kind for finding in run.findings] == ["barrier divergence", "out of bounds"]


def test_a_shuffle_that_a_named_lane_does_not_reach():
    @cuda.jit
    def kernel(out):
        t = cuda.threadIdx.x
        if t < 16:
            out[t] = cuda.shfl_sync(0xFFFFFFFF, t, 3)  # <- shuffle

    found = gpulab.simulate(kernel, 1, 32, np.zeros(32, np.int32)).findings[0]
    assert found.kind == "barrier divergence"
    assert found.line == line(kernel, "shuffle")
    assert found.thread[0] >= 16


def test_a_shuffle_in_a_branch_whose_mask_names_only_those_who_are_there():
    @cuda.jit
    def kernel(out):
        t = cuda.threadIdx.x
        if t < 16:
            out[t] = cuda.shfl_sync(0xFFFF, t, 3)

    out = np.zeros(32, np.int32)
    assert gpulab.simulate(kernel, 1, 32, out).findings == []
    assert (out[:16] == 3).all()


def test_a_partial_last_warp_may_shuffle_with_a_full_mask():
    """Lanes beyond the block do not exist: nobody waits for them."""

    @cuda.jit
    def kernel(out):
        t = cuda.threadIdx.x
        out[t] = cuda.shfl_sync(0xFFFFFFFF, float32(t), 2)

    out = np.zeros(40, np.float32)
    assert gpulab.simulate(kernel, 1, 40, out).findings == []
    assert (out == np.repeat([2, 34], [32, 8])).all()


def test_a_shuffle_from_a_lane_beyond_the_block():
    @cuda.jit
    def kernel(out):
        t = cuda.threadIdx.x
        out[t] = cuda.shfl_down_sync(0xFFFFFFFF, float32(t), 1)  # <- shuffle

    found = only(gpulab.simulate(kernel, 1, 40, np.zeros(40, np.float32)), "uninitialised read")
    assert (found.line, found.thread[0]) == (line(kernel, "shuffle"), 39)


def test_a_lane_that_calls_but_is_not_in_the_mask():
    @cuda.jit
    def kernel(out):
        t = cuda.threadIdx.x
        out[t] = cuda.shfl_xor_sync(0xFFFF, float32(t), 1)  # <- shuffle

    found = only(gpulab.simulate(kernel, 2, 64, np.zeros(64, np.float32)), "barrier divergence")
    assert (found.line, found.thread[0], found.other) == (line(kernel, "shuffle"), 16, None)
    assert found.message == "The mask of the shuffle leaves out thread 16 of block 0, which takes part."


def test_a_lane_that_names_another_which_gives_another_mask():
    @cuda.jit
    def kernel(out):
        t = cuda.threadIdx.x
        mask = 0xFFFFFFFF if t < 31 else 1 << 31
        out[t] = cuda.ballot_sync(mask, True)  # <- vote

    found = only(gpulab.simulate(kernel, 1, 32, np.zeros(32, np.int64)), "barrier divergence")
    assert (found.line, found.thread[0], found.other.thread[0]) == (line(kernel, "vote"), 0, 31)
    assert found.message == "Threads 0 and 31 come to the vote with different masks."


def test_groups_of_one_warp_vote_at_once_each_for_itself():
    @cuda.jit
    def kernel(out, keys, flags):
        t = cuda.threadIdx.x
        group = cuda.match_any_sync(0xFFFFFFFF, keys[t])
        out[0, t] = cuda.popc(cuda.ballot_sync(group, flags[t] != 0))
        out[1, t] = cuda.all_sync(group, flags[t] != 0)
        out[2, t] = cuda.any_sync(group, flags[t] != 0)
        out[3, t] = cuda.eq_sync(group, flags[t] != 0)
        out[4, t] = cuda.popc(cuda.match_any_sync(group, flags[t]))
        out[5, t] = cuda.match_all_sync(group, flags[t])[1]

    random = np.random.default_rng(1)
    keys, flags = random.integers(0, 6, 64).astype(np.int32), (random.random(64) < 0.7).astype(np.int32)
    out = np.zeros((6, 64), np.int64)
    assert gpulab.simulate(kernel, 1, 64, out, keys, flags).findings == []
    for t in range(64):
        mine = [flags[o] for o in range(t // 32 * 32, t // 32 * 32 + 32) if keys[o] == keys[t]]
        alike = all(mine) or not any(mine)
        expected = [sum(mine), all(mine), any(mine), alike, mine.count(flags[t]), alike]
        assert out[:, t].tolist() == [int(value) for value in expected], t


def test_lanes_that_have_returned_may_be_named():
    """CUDA asks for "all non-exited threads named in mask"."""

    @cuda.jit
    def kernel(out, n):
        t = cuda.threadIdx.x
        if t >= n:
            return
        out[t] = cuda.popc(cuda.ballot_sync(0xFFFFFFFF, True))

    out = np.zeros(64, np.int64)
    assert gpulab.simulate(kernel, 1, 64, out, 40).findings == []
    assert out.tolist() == [32] * 32 + [8] * 8 + [0] * 24


def test_a_shuffle_from_a_lane_of_another_group():
    @cuda.jit
    def kernel(out, keys):
        t = cuda.threadIdx.x
        group = cuda.match_any_sync(0xFFFFFFFF, keys[t])
        out[0, t] = cuda.shfl_sync(group, t, cuda.ffs(group) - 1)
        out[1, t] = cuda.shfl_sync(group, t, 0)  # <- shuffle

    keys = np.arange(32, dtype=np.int32) % 3
    out = np.zeros((2, 32), np.int64)
    found = only(gpulab.simulate(kernel, 1, 32, out, keys), "uninitialised read")
    assert (found.line, found.thread[0]) == (line(kernel, "shuffle"), 1)
    assert found.message == "Thread 1 takes a value from lane 0, which takes no part."
    assert out[0].tolist() == keys.tolist()
