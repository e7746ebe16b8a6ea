"""Right kernels that look wrong: no finding, and the right values."""

from __future__ import annotations

import numpy as np
import pytest
from numba import cuda, float32, int32

import gpulab

N = 64


def clean(kernel, blocks, threads, *args, **options):
    """Run it; the run, which has no findings."""
    run = gpulab.simulate(kernel, blocks, threads, *args, **options)
    assert run.findings == []
    return run


def numbers(count: int = N) -> np.ndarray:
    return np.arange(1, count + 1, dtype=np.float32)


def test_everyone_stores_the_same_value():
    @cuda.jit
    def kernel(out):
        out[0] = 7

    out = np.zeros(1, np.int32)
    clean(kernel, 3, 64, out)
    assert out[0] == 7


def test_a_flag_that_many_set_to_one():
    @cuda.jit
    def kernel(flag, a):
        if a[cuda.grid(1)] > 0:
            flag[0] = 1

    flag = np.zeros(1, np.int32)
    clean(kernel, 2, 32, flag, np.tile([0, 1], 32))
    assert flag[0] == 1


def test_a_guard_that_lets_some_threads_past_every_barrier():
    """Barriers stand outside the guards: everyone comes."""

    @cuda.jit
    def kernel(out, a, n):
        s = cuda.shared.array(N, float32)
        i, t = cuda.grid(1), cuda.threadIdx.x
        if i < n:
            s[t] = a[i]
        cuda.syncthreads()
        if 0 < i < n and t > 0:
            out[i] = s[t] - s[t - 1]

    a, out = numbers(100), np.zeros(100, np.float32)
    clean(kernel, 2, N, out, a, 100)
    assert out[1:64].tolist() == [1.0] * 63


def test_a_tree_reduction_with_a_barrier_in_the_loop():
    @cuda.jit
    def kernel(out, a):
        s = cuda.shared.array(N, float32)
        t = cuda.threadIdx.x
        s[t] = a[cuda.grid(1)]
        cuda.syncthreads()
        step = N // 2
        while step > 0:
            if t < step:
                s[t] += s[t + step]
            cuda.syncthreads()
            step //= 2
        if t == 0:
            out[cuda.blockIdx.x] = s[0]

    out = np.zeros(4, np.float32)
    clean(kernel, 4, N, out, numbers(4 * N))
    np.testing.assert_array_equal(out, numbers(4 * N).reshape(4, N).sum(1))


def test_a_scan_that_reads_before_the_barrier_and_writes_after():
    @cuda.jit
    def kernel(a):
        s = cuda.shared.array(N, float32)
        t = cuda.threadIdx.x
        s[t] = a[t]
        cuda.syncthreads()
        step = 1
        while step < N:
            value = s[t]
            if t >= step:
                value += s[t - step]
            cuda.syncthreads()
            s[t] = value
            cuda.syncthreads()
            step *= 2
        a[t] = s[t]

    a = numbers()
    clean(kernel, 1, N, a)
    np.testing.assert_array_equal(a, np.cumsum(numbers()))


def test_a_scan_with_two_buffers():
    @cuda.jit
    def kernel(a):
        s = cuda.shared.array((2, N), float32)
        t = cuda.threadIdx.x
        side = 0
        s[0, t] = a[t]
        cuda.syncthreads()
        step = 1
        while step < N:
            other = 1 - side
            s[other, t] = s[side, t] + (s[side, t - step] if t >= step else float32(0))
            cuda.syncthreads()
            side = other
            step *= 2
        a[t] = s[side, t]

    a = numbers()
    clean(kernel, 1, N, a)
    np.testing.assert_array_equal(a, np.cumsum(numbers()))


def test_a_tile_loop_with_both_barriers():
    @cuda.jit
    def kernel(out, a):
        tile = cuda.shared.array(N, float32)
        t = cuda.threadIdx.x
        total = float32(0)
        for k in range(4):
            tile[t] = a[k * N + t]
            cuda.syncthreads()
            for j in range(N):
                total += tile[j]
            cuda.syncthreads()
        out[t] = total

    out = np.zeros(N, np.float32)
    clean(kernel, 1, N, out, numbers(4 * N))
    assert (out == numbers(4 * N).sum()).all()


def test_a_tile_loop_with_two_buffers_and_one_barrier():
    """One barrier a round is enough where the rounds change sides."""

    @cuda.jit
    def kernel(out, a):
        tile = cuda.shared.array((2, N), float32)
        t = cuda.threadIdx.x
        total = float32(0)
        for k in range(6):
            tile[k % 2, t] = a[k * N + t]
            cuda.syncthreads()
            for j in range(N):
                total += tile[k % 2, j]
        out[t] = total

    out = np.zeros(N, np.float32)
    clean(kernel, 1, N, out, numbers(6 * N))
    assert (out == numbers(6 * N).sum()).all()


def test_lanes_of_a_warp_ordered_by_syncwarp():
    @cuda.jit
    def kernel(out, a):
        s = cuda.shared.array(N, float32)
        t = cuda.threadIdx.x
        s[t] = a[t]
        cuda.syncwarp()
        out[t] = s[t ^ 31]

    out = np.zeros(N, np.float32)
    clean(kernel, 1, N, out, numbers())
    np.testing.assert_array_equal(out, numbers().reshape(2, 32)[:, ::-1].ravel())


def test_a_reduction_whose_last_warp_needs_syncwarp_only():
    @cuda.jit
    def kernel(out, a):
        s = cuda.shared.array(N, float32)
        t = cuda.threadIdx.x
        s[t] = a[t]
        cuda.syncthreads()
        if t < 32:
            value = s[t] + s[t + 32]
            for offset in (16, 8, 4, 2, 1):
                value += cuda.shfl_down_sync(0xFFFFFFFF, value, offset)
            if t == 0:
                out[0] = value

    out = np.zeros(1, np.float32)
    clean(kernel, 1, N, out, numbers())
    assert out[0] == numbers().sum()


def test_a_warp_that_writes_and_reads_back_its_own_part_between_syncwarps():
    @cuda.jit
    def kernel(out, a):
        s = cuda.shared.array(N, float32)
        t = cuda.threadIdx.x
        value = a[t]
        step = 16
        while step > 0:
            s[t] = value
            cuda.syncwarp()
            value += s[t ^ step]
            cuda.syncwarp()
            step //= 2
        out[t] = value

    out = np.zeros(N, np.float32)
    clean(kernel, 1, N, out, numbers())
    np.testing.assert_array_equal(out, np.repeat(numbers().reshape(2, 32).sum(1), 32))


def test_atomics_of_all_blocks_on_one_cell():
    @cuda.jit
    def kernel(total, a):
        cuda.atomic.add(total, 0, a[cuda.grid(1)])

    total = np.zeros(1, np.float32)
    clean(kernel, 4, N, total, numbers(4 * N))
    assert total[0] == numbers(4 * N).sum()


def test_a_shared_histogram_with_atomics_flushed_behind_a_barrier():
    @cuda.jit
    def kernel(bins, a):
        s = cuda.shared.array(8, int32)
        t = cuda.threadIdx.x
        if t < 8:
            s[t] = 0
        cuda.syncthreads()
        cuda.atomic.add(s, a[cuda.grid(1)], 1)
        cuda.syncthreads()
        if t < 8:
            cuda.atomic.add(bins, t, s[t])

    a, bins = np.arange(4 * N) % 8, np.zeros(8, np.int32)
    clean(kernel, 4, N, bins, a)
    assert bins.tolist() == [4 * N // 8] * 8


def test_each_thread_has_its_own_element_of_a_shared_array():
    @cuda.jit
    def kernel(out, a):
        s = cuda.shared.array(N, float32)
        t = cuda.threadIdx.x
        s[t] = a[t]
        s[t] = s[t] * 2
        out[t] = s[t]

    clean(kernel, 1, N, np.zeros(N, np.float32), numbers())


def test_shared_arrays_of_different_blocks_are_different():
    @cuda.jit
    def kernel(out):
        s = cuda.shared.array(1, int32)
        if cuda.threadIdx.x == 0:
            s[0] = cuda.blockIdx.x
        cuda.syncthreads()
        out[cuda.grid(1)] = s[0]

    out = np.zeros(128, np.int32)
    clean(kernel, 4, 32, out)
    np.testing.assert_array_equal(out, np.repeat(np.arange(4), 32))


def test_two_shared_arrays_on_one_line():
    @cuda.jit
    def kernel(out, a):
        s, r = cuda.shared.array(N, float32), cuda.shared.array(N, float32)
        t = cuda.threadIdx.x
        s[t], r[t] = a[t], -a[t]
        cuda.syncthreads()
        out[t] = s[N - 1 - t] + r[t]

    out = np.zeros(N, np.float32)
    clean(kernel, 1, N, out, numbers())
    np.testing.assert_array_equal(out, numbers()[::-1] - numbers())


def test_updating_in_place_where_each_thread_has_its_own_element():
    @cuda.jit
    def kernel(a, n):
        i = cuda.grid(1)
        if i < n:
            a[i] = a[i] * 2 + 1

    a = numbers(100)
    clean(kernel, 2, N, a, 100)
    np.testing.assert_array_equal(a, numbers(100) * 2 + 1)


def test_a_grid_stride_loop():
    @cuda.jit
    def kernel(out, a):
        for i in range(cuda.grid(1), a.size, cuda.gridsize(1)):
            out[i] = a[i] + 1

    out = np.zeros(1000, np.float32)
    clean(kernel, 3, N, out, numbers(1000))
    np.testing.assert_array_equal(out, numbers(1000) + 1)


def test_swapping_halves_through_registers():
    """Everyone reads before the barrier and writes after it."""

    @cuda.jit
    def kernel(a):
        t = cuda.threadIdx.x
        value = a[(t + 32) % N]
        cuda.syncthreads()
        a[t] = value

    a = numbers()
    clean(kernel, 1, N, a)
    np.testing.assert_array_equal(a, np.roll(numbers(), -32))


def test_a_broadcast_written_by_one_thread_and_used_for_several_rounds():
    @cuda.jit
    def kernel(out):
        s = cuda.shared.array(1, int32)
        t = cuda.threadIdx.x
        total = 0
        for k in range(3):
            if t == k:
                s[0] = 10 * k
            cuda.syncthreads()
            total += s[0]
            cuda.syncthreads()
        out[t] = total

    out = np.zeros(N, np.int32)
    clean(kernel, 1, N, out)
    assert (out == 30).all()


def test_dynamic_shared_memory():
    @cuda.jit
    def kernel(out, a):
        s = cuda.shared.array(0, float32)
        t = cuda.threadIdx.x
        s[t] = a[t]
        cuda.syncthreads()
        out[t] = s[N - 1 - t]

    out = np.zeros(N, np.float32)
    run = clean(kernel, 1, N, out, numbers(), shared_bytes=4 * N)
    np.testing.assert_array_equal(out, numbers()[::-1])
    assert run.shared_bytes == 4 * N


def test_a_ticket_from_an_atomic_makes_each_slot_its_own():
    @cuda.jit
    def kernel(out, count, a):
        i = cuda.grid(1)
        if a[i] % 3 == 0:
            out[cuda.atomic.add(count, 0, 1)] = a[i]

    a, out, count = np.arange(4 * N), np.zeros(4 * N, np.int64), np.zeros(1, np.int32)
    clean(kernel, 4, N, out, count, a)
    assert sorted(out[: count[0]]) == [k for k in range(4 * N) if k % 3 == 0]


def test_partial_sums_of_two_launches():
    """A launch ends before the next begins: nothing has to order them."""

    @cuda.jit
    def kernel(out, a):
        if cuda.threadIdx.x == 0:
            total = float32(0)
            for k in range(N):
                total += a[cuda.blockIdx.x * N + k]
            out[cuda.blockIdx.x] = total

    partial, out = np.zeros(64, np.float32), np.zeros(1, np.float32)
    clean(kernel, 64, 32, partial, numbers(64 * N))
    clean(kernel, 1, 32, out, partial)
    assert out[0] == numbers(64 * N).sum(dtype=np.float64)


def test_an_early_return_before_a_barrier_is_a_note():
    """A barrier counts the threads that have not returned (since Volta)."""

    @cuda.jit
    def kernel(out, a, n):
        s = cuda.shared.array(N, float32)
        t = cuda.threadIdx.x
        if t >= n:
            return
        s[t] = a[t]
        cuda.syncthreads()
        out[t] = s[n - 1 - t]

    out = np.zeros(50, np.float32)
    run = clean(kernel, 1, N, out, numbers(), 50)
    np.testing.assert_array_equal(out, numbers(50)[::-1])
    assert [note.kind for note in run.notes] == ["barrier after return"]


@pytest.mark.parametrize("order", [0, 1, 2])
def test_blocks_in_any_order(order):
    @cuda.jit
    def kernel(out):
        out[cuda.grid(1)] = cuda.blockIdx.x

    out = np.zeros(320, np.int32)
    clean(kernel, 10, 32, out, order=order)
    np.testing.assert_array_equal(out, np.repeat(np.arange(10), 32))


def test_rows_of_a_matrix_handed_to_a_device_function():
    @cuda.jit(device=True)
    def double(row):
        for k in range(row.size):
            row[k] *= 2

    @cuda.jit
    def kernel(m):
        double(m[cuda.grid(1)])

    m = numbers(320).reshape(64, 5)
    clean(kernel, 2, 32, m)
    np.testing.assert_array_equal(m, numbers(320).reshape(64, 5) * 2)


def test_a_producer_and_a_consumer_warp_with_a_barrier_between():
    @cuda.jit
    def kernel(out, a):
        s = cuda.shared.array(32, float32)
        t = cuda.threadIdx.x
        for k in range(3):
            if t < 32:
                s[t] = a[k * 32 + t]
            cuda.syncthreads()
            if t >= 32:
                out[k * 32 + t - 32] = s[63 - t]
            cuda.syncthreads()

    out = np.zeros(96, np.float32)
    clean(kernel, 1, N, out, numbers(96))
    np.testing.assert_array_equal(out.reshape(3, 32), numbers(96).reshape(3, 32)[:, ::-1])
