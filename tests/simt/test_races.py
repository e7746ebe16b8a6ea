"""Every kind of race is found, on its two lines, between two threads that do race."""

from __future__ import annotations

import numpy as np
import pytest
from numba import cuda, float32, int32

import gpulab
from tests.simt.marks import line, lines, only

N = 64


def numbers(count: int = N) -> np.ndarray:
    return np.arange(1, count + 1, dtype=np.float32)


@cuda.jit
def neighbour_without_barrier(out, a):
    s = cuda.shared.array(N, float32)
    t = cuda.threadIdx.x
    s[t] = a[t]  # <- write
    out[t] = s[(t + 32) % N]  # <- read


def test_reading_what_another_warp_wrote_without_a_barrier():
    run = gpulab.simulate(neighbour_without_barrier, 1, N, np.zeros(N, np.float32), numbers())
    race = only(run, "race")
    assert lines(race) == {line(neighbour_without_barrier, "write"), line(neighbour_without_barrier, "read")}
    assert race.array == "s"
    assert (race.thread[0] + 32) % N == race.other.thread[0] == race.index[0]
    assert race.count == N


@cuda.jit
def neighbour_in_the_same_warp(out, a):
    s = cuda.shared.array(32, float32)
    t = cuda.threadIdx.x
    s[t] = a[t]  # <- write
    out[t] = s[31 - t]  # <- read


def test_lanes_of_one_warp_are_not_ordered_without_syncwarp():
    run = gpulab.simulate(neighbour_in_the_same_warp, 1, 32, np.zeros(32, np.float32), numbers(32))
    race = only(run, "race")
    assert race.thread[0] + race.other.thread[0] == 31


@cuda.jit
def everyone_stores(out):
    t = cuda.threadIdx.x
    out[t // 2] = t  # <- store


def test_two_lanes_of_one_store():
    run = gpulab.simulate(everyone_stores, 1, 32, np.zeros(16, np.int32))
    race = only(run, "race")
    assert lines(race) == {line(everyone_stores, "store")}
    assert race.access == race.other_access == "writes"
    assert race.thread != race.other.thread
    assert race.thread[0] // 2 == race.other.thread[0] // 2 == race.index[0]
    assert race.count == 16


def test_threads_of_different_blocks_that_store_one_element():
    @cuda.jit
    def kernel(out):
        out[0] = cuda.blockIdx.x  # <- store

    race = only(gpulab.simulate(kernel, 3, 1, np.full(1, -1, np.int32)), "race")
    assert race.block != race.other.block
    assert "block" in race.message


def test_a_block_that_reads_what_another_wrote():
    @cuda.jit
    def kernel(out, g):
        g[cuda.blockIdx.x] = cuda.blockIdx.x + 1  # <- write
        cuda.syncthreads()
        out[cuda.blockIdx.x] = g[(cuda.blockIdx.x + 1) % 2]  # <- read

    race = only(gpulab.simulate(kernel, 2, 1, np.zeros(2, np.int32), np.zeros(2, np.int32)), "race")
    assert lines(race) == {line(kernel, "write"), line(kernel, "read")}
    assert race.array == "g"


def test_adding_without_an_atomic():
    @cuda.jit
    def kernel(out, a):
        out[0] += a[cuda.grid(1)]  # <- add

    race = only(gpulab.simulate(kernel, 1, 64, np.zeros(1, np.float32), numbers()), "race")
    assert lines(race) == {line(kernel, "add")}


def test_a_histogram_whose_bins_are_not_atomic():
    @cuda.jit
    def kernel(bins, a):
        i = cuda.grid(1)
        bins[a[i]] += 1  # <- count

    race = only(gpulab.simulate(kernel, 2, 32, np.zeros(4, np.int32), np.arange(64) % 4), "race")
    assert race.line == line(kernel, "count")
    assert race.array == "bins"


def test_an_atomic_and_a_plain_read_of_one_cell():
    @cuda.jit
    def kernel(out, total):
        cuda.atomic.add(total, 0, 1)  # <- atomic
        out[cuda.threadIdx.x] = total[0]  # <- read

    race = only(gpulab.simulate(kernel, 1, 64, np.zeros(64, np.int32), np.zeros(1, np.int32)), "race")
    assert lines(race) == {line(kernel, "atomic"), line(kernel, "read")}
    assert {race.access, race.other_access} == {"reads", "updates"}


def test_an_atomic_and_a_plain_write_of_one_cell():
    @cuda.jit
    def kernel(total):
        if cuda.threadIdx.x == 0:
            total[0] = 5  # <- write
        cuda.atomic.add(total, 0, 1)  # <- atomic

    race = only(gpulab.simulate(kernel, 1, 64, np.zeros(1, np.int32)), "race")
    assert lines(race) == {line(kernel, "write"), line(kernel, "atomic")}


def test_an_atomic_of_another_block_and_a_read_behind_a_barrier():
    """A barrier orders only one block; the other block's update may come at any time."""

    @cuda.jit
    def kernel(out, total):
        cuda.atomic.add(total, 0, 1)  # <- atomic
        cuda.syncthreads()
        if cuda.threadIdx.x == 0:
            out[cuda.blockIdx.x] = total[0]  # <- read

    race = only(gpulab.simulate(kernel, 2, 32, np.zeros(2, np.int32), np.zeros(1, np.int32)), "race")
    assert race.block != race.other.block
    assert lines(race) == {line(kernel, "atomic"), line(kernel, "read")}


# ---- patterns of the puzzles ----------------------------------------------------------------------------------------


@cuda.jit
def tree_reduction_without_barrier_in_the_loop(out, a):
    s = cuda.shared.array(N, float32)
    t = cuda.threadIdx.x
    s[t] = a[t]
    cuda.syncthreads()
    step = N // 2
    while step > 0:
        if t < step:
            s[t] += s[t + step]  # <- add
        step //= 2
    if t == 0:
        out[0] = s[0]


@cuda.jit
def tree_reduction_that_adds_and_reads_one_half(out, a):
    s = cuda.shared.array(N, float32)
    t = cuda.threadIdx.x
    s[t] = a[t]
    cuda.syncthreads()
    step = 1
    while step < N:
        if t + step < N:
            s[t] += s[t + step]  # <- add
        cuda.syncthreads()
        step *= 2
    if t == 0:
        out[0] = s[0]


@pytest.mark.parametrize("kernel", [tree_reduction_without_barrier_in_the_loop,
                                    tree_reduction_that_adds_and_reads_one_half])
def test_wrong_tree_reductions(kernel):
    run = gpulab.simulate(kernel, 1, N, np.zeros(1, np.float32), numbers())
    assert {finding.kind for finding in run.findings} == {"race"}
    assert line(kernel, "add") in {number for finding in run.findings for number in lines(finding)}


@cuda.jit
def scan_in_place(a):
    s = cuda.shared.array(N, float32)
    t = cuda.threadIdx.x
    s[t] = a[t]
    cuda.syncthreads()
    step = 1
    while step < N:
        if t >= step:
            s[t] = s[t] + s[t - step]  # <- add
        cuda.syncthreads()
        step *= 2
    a[t] = s[t]


def test_a_scan_in_one_buffer():
    race = only(gpulab.simulate(scan_in_place, 1, N, numbers()), "race")
    assert lines(race) == {line(scan_in_place, "add")}


@cuda.jit
def tiles_without_second_barrier(out, a):
    tile = cuda.shared.array(N, float32)
    t = cuda.threadIdx.x
    total = float32(0)
    for k in range(4):
        tile[t] = a[k * N + t]  # <- fill
        cuda.syncthreads()
        for j in range(N):
            total += tile[j]  # <- use
    out[t] = total


def test_a_tile_loop_without_its_second_barrier():
    """The fast warp fills the next tile while the slow one still sums this one."""
    run = gpulab.simulate(tiles_without_second_barrier, 1, N, np.zeros(N, np.float32), numbers(4 * N))
    race = only(run, "race")
    assert lines(race) == {line(tiles_without_second_barrier, "fill"), line(tiles_without_second_barrier, "use")}


@cuda.jit
def double_buffer_with_one_flag_too_few(out, a):
    tile = cuda.shared.array((2, N), float32)
    t = cuda.threadIdx.x
    total = float32(0)
    for k in range(4):
        tile[0, t] = a[k * N + t]  # <- fill
        cuda.syncthreads()
        total += tile[0, (t + 32) % N]  # <- use
    out[t] = total


def test_a_double_buffer_that_never_changes_sides():
    kernel = double_buffer_with_one_flag_too_few
    race = only(gpulab.simulate(kernel, 1, N, np.zeros(N, np.float32), numbers(4 * N)), "race")
    assert lines(race) == {line(kernel, "fill"), line(kernel, "use")}


@cuda.jit
def transpose_without_barrier(out, a):
    tile = cuda.shared.array((16, 16), float32)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    tile[y, x] = a[y, x]  # <- write
    out[y, x] = tile[x, y]  # <- read


def test_a_transpose_through_shared_memory_without_barrier():
    a = numbers(256).reshape(16, 16)
    race = only(gpulab.simulate(transpose_without_barrier, 1, (16, 16), np.zeros_like(a), a), "race")
    assert (race.thread[0], race.thread[1]) == (race.other.thread[1], race.other.thread[0])
    assert "(" in race.message  # threads of a two-dimensional block are named by both


@cuda.jit
def syncwarp_for_two_warps(out, a):
    s = cuda.shared.array(N, float32)
    t = cuda.threadIdx.x
    s[t] = a[t]  # <- write
    cuda.syncwarp()
    out[t] = s[(t + 16) % N]  # <- read


def test_syncwarp_does_not_order_two_warps():
    run = gpulab.simulate(syncwarp_for_two_warps, 1, N, np.zeros(N, np.float32), numbers())
    race = only(run, "race")
    assert race.thread[0] // 32 != race.other.thread[0] // 32


@cuda.jit
def last_block(out, partial, count, total, fence):
    s = cuda.shared.array(1, int32)
    t = cuda.threadIdx.x
    if t == 0:
        partial[cuda.blockIdx.x] = cuda.blockIdx.x + 1  # <- partial
        if fence:
            cuda.threadfence()
        s[0] = cuda.atomic.add(count, 0, 1)
    cuda.syncthreads()
    if s[0] == cuda.gridDim.x - 1 and t == 0:
        for k in range(cuda.gridDim.x):
            total[0] += partial[k]  # <- sum


def test_the_last_block_without_a_fence():
    """The count says that a block is done; without a fence it does not say that its partial sum is there."""
    arguments = [np.zeros(n, np.int32) for n in (1, 4, 1, 1)]
    run = gpulab.simulate(last_block, 4, 32, *arguments, False)
    race = only(run, "race")
    assert lines(race) == {line(last_block, "partial"), line(last_block, "sum")}
    assert race.array == "partial"


def test_the_last_block_with_a_fence():
    arguments = [np.zeros(n, np.int32) for n in (1, 4, 1, 1)]
    run = gpulab.simulate(last_block, 4, 32, *arguments, True)
    assert run.findings == []
    assert arguments[3][0] == 10


@cuda.jit
def lock(counter, mutex, fence):
    if cuda.threadIdx.x == 0:
        while cuda.atomic.cas(mutex, 0, 0, 1) != 0:
            pass
        if fence:
            cuda.threadfence()
        counter[0] += 1  # <- critical
        if fence:
            cuda.threadfence()
        cuda.atomic.exch(mutex, 0, 0)


def test_a_lock_without_fences():
    run = gpulab.simulate(lock, 4, 32, np.zeros(1, np.int32), np.zeros(1, np.int32), False)
    race = only(run, "race")
    assert lines(race) == {line(lock, "critical")}
    assert race.block != race.other.block


def test_a_lock_with_fences():
    counter = np.zeros(1, np.int32)
    run = gpulab.simulate(lock, 4, 32, counter, np.zeros(1, np.int32), True)
    assert run.findings == []
    assert counter[0] == 4


# ---- through views, functions and aliases ---------------------------------------------------------------------------


def test_a_race_through_two_views_of_one_array():
    @cuda.jit
    def kernel(out, a):
        t = cuda.threadIdx.x
        left, right = a[:32], a[16:]
        left[t] = t  # <- write
        if t < 16:
            out[t] = right[t]  # <- read

    race = only(gpulab.simulate(kernel, 1, 32, np.zeros(16, np.int32), np.full(48, -1, np.int32)), "race")
    assert lines(race) == {line(kernel, "write"), line(kernel, "read")}


def test_a_race_between_two_arguments_that_share_memory():
    @cuda.jit
    def kernel(out, a):
        t = cuda.threadIdx.x
        out[t] = a[t]  # <- copy

    memory = np.arange(33, dtype=np.float32)
    race = only(gpulab.simulate(kernel, 1, 32, memory[1:], memory[:-1]), "race")
    assert lines(race) == {line(kernel, "copy")}


@cuda.jit(device=True)
def put(array, index, value):
    array[index] = value


def test_a_race_whose_store_is_in_a_device_function():
    @cuda.jit
    def kernel(out):
        put(out, cuda.threadIdx.x // 2, cuda.threadIdx.x)

    race = only(gpulab.simulate(kernel, 1, 32, np.full(16, -1)), "race")
    assert race.line == put.py_func.__code__.co_firstlineno + 2


def test_races_of_several_pairs_of_lines_are_told_apart():
    @cuda.jit
    def kernel(out):
        t = cuda.threadIdx.x
        out[0] = t  # <- first
        out[1] = t  # <- second

    run = gpulab.simulate(kernel, 1, 32, np.full(2, -1))
    assert [lines(finding) for finding in run.findings] == [{line(kernel, "first")}, {line(kernel, "second")}]


def test_a_race_is_one_finding_however_many_cells_show_it():
    run = gpulab.simulate(everyone_stores, 20, 512, np.zeros(256, np.int32))
    assert len(run.findings) == 1
