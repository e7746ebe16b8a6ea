"""Every intrinsic of the simulator against a few lines of NumPy or Python."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np
import pytest
from numba import cuda, float32, float64, int32, int64, uint32, uint64

import gpulab

FULL = 0xFFFFFFFF


def clean(kernel: Any, blocks: Any, threads: Any, *args: Any, **options: Any) -> Any:
    run = gpulab.simulate(kernel, blocks, threads, *args, **options)
    assert run.findings == []
    return run


# ---- where a thread is ----------------------------------------------------------------------------------------------


@cuda.jit
def places(out, n):
    x, y, z = cuda.grid(3)
    sx, sy, sz = cuda.gridsize(3)
    k = ((sz - 1 - z) * sy + y) * sx + x
    out[k, 0], out[k, 1], out[k, 2] = cuda.threadIdx.x, cuda.threadIdx.y, cuda.threadIdx.z
    out[k, 3], out[k, 4], out[k, 5] = cuda.blockIdx.x, cuda.blockIdx.y, cuda.blockIdx.z
    out[k, 6], out[k, 7], out[k, 8] = cuda.blockDim.x, cuda.blockDim.y, cuda.blockDim.z
    out[k, 9], out[k, 10], out[k, 11] = cuda.gridDim.x, cuda.gridDim.y, cuda.gridDim.z
    out[k, 12], out[k, 13] = cuda.laneid, cuda.warpsize
    out[k, 14] = cuda.grid(1)
    out[k, 15] = cuda.gridsize(1)


def test_indices_of_threads_blocks_and_grid():
    grid, block = (2, 3, 2), (5, 2, 3)
    sizes = [g * b for g, b in zip(grid, block, strict=True)]
    out = np.full((math.prod(sizes), 16), -1)
    clean(places, grid, block, out, 0)
    for k, row in enumerate(out):
        x, y, z = k % sizes[0], k // sizes[0] % sizes[1], sizes[2] - 1 - k // (sizes[0] * sizes[1])
        threads = (x % 5, y % 2, z % 3)
        linear = threads[0] + 5 * (threads[1] + 2 * threads[2])
        expected = [*threads, x // 5, y // 2, z // 3, *block, *grid, linear % 32, 32, x, sizes[0]]
        assert row.tolist() == expected


def test_grid_of_one_and_two_dimensions():
    @cuda.jit
    def kernel(one, two):
        i = cuda.grid(1)
        one[i] = i + cuda.gridsize(1)
        x, y = cuda.grid(2)
        two[x, y] = x * 100 + y

    one, two = np.zeros(12, np.int64), np.zeros((12, 1), np.int64)
    clean(kernel, 3, 4, one, two)
    assert one.tolist() == [i + 12 for i in range(12)]
    assert two[:, 0].tolist() == [100 * i for i in range(12)]


# ---- memory ---------------------------------------------------------------------------------------------------------


def test_shared_arrays_of_several_shapes_and_types():
    @cuda.jit
    def kernel(out):
        a, b = cuda.shared.array(8, float32), cuda.shared.array((2, 4), int32)
        c = cuda.shared.array(shape=8, dtype=uint64)
        t = cuda.threadIdx.x
        a[t], b[t // 4, t % 4], c[t] = t + 0.5, -t, t * 3
        cuda.syncthreads()
        s = 7 - t
        out[t] = a[s] + b[s // 4, s % 4] + c[s]

    out = np.zeros(8)
    run = clean(kernel, 1, 8, out)
    assert out.tolist() == [7 - t + 0.5 - (7 - t) + 3 * (7 - t) for t in range(8)]
    assert (run.shared_arrays, run.shared_bytes) == (3, 4 * 8 + 4 * 8 + 8 * 8)


def test_dynamic_shared_memory_has_the_size_of_the_launch():
    @cuda.jit
    def kernel(out):
        s = cuda.shared.array(0, float64)
        s[cuda.threadIdx.x] = cuda.threadIdx.x
        cuda.syncthreads()
        out[cuda.threadIdx.x] = s[s.size - 1 - cuda.threadIdx.x]

    out = np.zeros(6)
    clean(kernel, 1, 6, out, shared_bytes=48)
    assert out.tolist() == [5, 4, 3, 2, 1, 0]


def test_local_arrays():
    @cuda.jit
    def kernel(out):
        i = cuda.grid(1)
        r = cuda.local.array((2, 3), int32)
        for k in range(6):
            r[k // 3, k % 3] = i * 10 + k
        for k in range(6):
            out[i, k] = r[(5 - k) // 3, (5 - k) % 3]

    out = np.zeros((4, 6), np.int32)
    clean(kernel, 2, 2, out)
    assert out.tolist() == [[i * 10 + 5 - k for k in range(6)] for i in range(4)]


TABLE = np.array([[1.5, 2.5], [3.5, 4.5]], np.float32)


def test_constant_arrays():
    @cuda.jit
    def kernel(out):
        i = cuda.grid(1)
        table = cuda.const.array_like(TABLE)
        out[i] = table[i % 2, 1] + TABLE[0, i % 2]

    out = np.zeros(4, np.float32)
    clean(kernel, 1, 4, out)
    assert out.tolist() == [2.5 + 1.5, 4.5 + 2.5, 2.5 + 1.5, 4.5 + 2.5]


# ---- barriers and votes of a block ----------------------------------------------------------------------------------


def test_counting_barriers():
    @cuda.jit
    def kernel(out, a):
        i = cuda.grid(1)
        out[i, 0] = cuda.syncthreads_count(a[i])
        out[i, 1] = cuda.syncthreads_and(a[i])
        out[i, 2] = cuda.syncthreads_or(a[i])

    a = np.repeat([0, 1, 2], 40) * (np.arange(120) % 3)
    out = np.zeros((120, 3), np.int32)
    clean(kernel, 3, 40, out, a)
    for block in range(3):
        part = a[block * 40 : block * 40 + 40]
        expected = [np.count_nonzero(part), int(part.all()), int(part.any())]
        assert (out[block * 40 : block * 40 + 40] == expected).all()


def test_counting_barriers_count_only_threads_that_have_not_returned():
    @cuda.jit
    def kernel(out, n):
        i = cuda.grid(1)
        if i >= n:
            return
        out[i] = cuda.syncthreads_count(1)

    out = np.zeros(50, np.int32)
    clean(kernel, 1, 64, out, 50)
    assert (out == 50).all()


# ---- warps ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.float32, np.float64])
def test_shuffles(dtype):
    @cuda.jit
    def kernel(out, a):
        i, t = cuda.grid(1), cuda.threadIdx.x
        x = a[i]
        out[0, i] = cuda.shfl_sync(FULL, x, (t * 5 + 1) % 32)
        out[1, i] = cuda.shfl_up_sync(FULL, x, 3)
        out[2, i] = cuda.shfl_down_sync(FULL, x, 3)
        out[3, i] = cuda.shfl_xor_sync(FULL, x, 6)

    a = np.random.default_rng(1).normal(size=64).astype(dtype) * 10
    out = np.zeros((4, 64), dtype)
    clean(kernel, 1, 64, out, a)
    lanes = np.arange(32)
    sources = [(lanes * 5 + 1) % 32, np.where(lanes < 3, lanes, lanes - 3), np.where(lanes > 28, lanes, lanes + 3),
               lanes ^ 6]
    for row, source in zip(out, sources, strict=True):
        np.testing.assert_array_equal(row, np.concatenate([a[:32][source], a[32:][source]]))


def test_votes():
    @cuda.jit
    def kernel(out, a):
        i = cuda.grid(1)
        x = a[i]
        out[i, 0] = cuda.all_sync(FULL, x > 0)
        out[i, 1] = cuda.any_sync(FULL, x > 3)
        out[i, 2] = cuda.eq_sync(FULL, x > 1)
        out[i, 3] = uint32(cuda.ballot_sync(FULL, x == 2))

    a = np.concatenate([np.full(32, 2), np.arange(32) % 4])
    out = np.zeros((64, 4), np.int64)
    clean(kernel, 1, 64, out, a)
    assert (out[:32] == [1, 0, 1, 0xFFFFFFFF]).all()
    assert (out[32:] == [0, 0, 0, sum(1 << k for k in range(32) if k % 4 == 2)]).all()


def test_matches():
    @cuda.jit
    def kernel(out, a):
        i = cuda.grid(1)
        out[i, 0] = uint32(cuda.match_any_sync(FULL, a[i]))
        mask, same = cuda.match_all_sync(FULL, a[i] // 100)
        out[i, 1] = uint32(mask)
        out[i, 2] = same
        mask, same = cuda.match_all_sync(FULL, a[i])
        out[i, 3] = uint32(mask)
        out[i, 4] = same

    a = (np.arange(32) % 5).astype(np.int32)
    out = np.zeros((32, 5), np.int64)
    clean(kernel, 1, 32, out, a)
    for i in range(32):
        assert out[i].tolist() == [sum(1 << k for k in range(32) if a[k] == a[i]), FULL, 1, 0, 0]


def test_masks_of_lanes():
    @cuda.jit
    def kernel(out):
        t = cuda.threadIdx.x
        out[t, 0] = uint32(cuda.lanemask_lt())
        out[t, 1] = uint32(cuda.activemask())
        if t % 2 == 0:
            out[t, 2] = uint32(cuda.activemask())

    out = np.zeros((40, 3), np.int64)
    clean(kernel, 1, 40, out)
    assert out[:, 0].tolist() == [(1 << t % 32) - 1 for t in range(40)]
    assert out[:, 1].tolist() == [FULL] * 32 + [0xFF] * 8
    assert out[::2, 2].tolist() == [0x55555555] * 16 + [0x55] * 4


def test_a_warp_compacts_with_a_ballot():
    @cuda.jit
    def kernel(out, a):
        t = cuda.threadIdx.x
        keep = a[t] % 3 == 0
        votes = cuda.ballot_sync(FULL, keep)
        if keep:
            out[cuda.popc(votes & cuda.lanemask_lt())] = a[t]

    out = np.zeros(32, np.int64)
    clean(kernel, 1, 32, out, np.arange(32) * 7)
    assert out[:11].tolist() == [k * 7 for k in range(0, 32, 3)]


def test_fences_and_syncwarp_with_a_mask_change_no_value():
    @cuda.jit
    def kernel(out):
        t = cuda.threadIdx.x
        cuda.threadfence()
        cuda.threadfence_block()
        cuda.threadfence_system()
        if t < 16:
            cuda.syncwarp(0xFFFF)
        out[t] = t
        cuda.nanosleep(uint32(10))

    out = np.zeros(32)
    clean(kernel, 1, 32, out)
    assert out.tolist() == list(range(32))


# ---- atomics --------------------------------------------------------------------------------------------------------

UPDATES = {
    "add": operator.add, "sub": operator.sub, "max": max, "min": min, "and_": operator.and_, "or_": operator.or_,
    "xor": operator.xor, "exch": lambda old, new: new, "inc": lambda old, top: 0 if old >= top else old + 1,
    "dec": lambda old, top: top if old == 0 or old > top else old - 1,
}


@pytest.mark.parametrize("name", UPDATES)
def test_each_atomic_returns_what_was_there_and_leaves_the_new_value(name):
    """Lanes that meet in one cell take turns, in lane order."""
    names: dict[str, Any] = {"cuda": cuda}
    exec(f"@cuda.jit\ndef kernel(cells, where, values, old):\n    i = cuda.grid(1)\n"
         f"    old[i] = cuda.atomic.{name}(cells, where[i], values[i])\n", names)
    random = np.random.default_rng(3)
    where, values = random.integers(0, 3, 64), random.integers(0, 20, 64).astype(np.uint32)
    cells, old = np.array([5, 9, 13], np.uint32), np.zeros(64, np.uint32)
    clean(names["kernel"], 1, 64, cells, where, values, old)
    expected, seen = [5, 9, 13], []
    for cell, value in zip(where.tolist(), values.tolist(), strict=True):
        seen.append(expected[cell])
        expected[cell] = UPDATES[name](expected[cell], value) % 2**32
    assert cells.tolist() == expected
    assert old.tolist() == seen


def test_compare_and_swap():
    @cuda.jit
    def kernel(cells, old, compare):
        i = cuda.grid(1)
        old[i] = cuda.atomic.cas(cells, i // 4, compare[i], i)
        old[i + 16] = cuda.atomic.compare_and_swap(cells[4:], -1, i)

    cells, old = np.array([7, 7, 7, 7, -1]), np.zeros(32, np.int64)
    clean(kernel, 1, 16, cells, old, np.array([7, 0, 7, 7] * 4))
    assert cells.tolist() == [1, 4, 8, 12, 0]
    assert old[:4].tolist() == [7, 0, 1, 1]
    assert old[16:].tolist() == [-1] + [0] * 15


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.uint64, np.float32, np.float64])
def test_atomic_sums_over_many_blocks_and_two_dimensions(dtype):
    @cuda.jit
    def kernel(cells, a):
        i = cuda.grid(1)
        cuda.atomic.add(cells, (i % 2, i % 3), a[i])

    a, cells = np.arange(600).astype(dtype), np.zeros((2, 3), dtype)
    clean(kernel, 20, 30, cells, a)
    expected = np.zeros((2, 3))
    np.add.at(expected, (np.arange(600) % 2, np.arange(600) % 3), np.arange(600))
    np.testing.assert_array_equal(cells, expected)


def test_nanmax_and_nanmin():
    @cuda.jit
    def kernel(cells, a):
        i = cuda.grid(1)
        cuda.atomic.nanmax(cells, 0, a[i])
        cuda.atomic.nanmin(cells, 1, a[i])

    cells = np.array([np.nan, np.nan], np.float32)
    clean(kernel, 1, 4, cells, np.array([3, np.nan, -2, 1], np.float32))
    assert cells.tolist() == [3, -2]


# ---- bits and numbers -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype, bits", [(np.int32, 32), (np.uint32, 32), (np.int64, 64), (np.uint64, 64)])
def test_bits(dtype, bits):
    @cuda.jit
    def kernel(out, a):
        i = cuda.grid(1)
        out[i, 0], out[i, 1], out[i, 2] = cuda.popc(a[i]), cuda.clz(a[i]), cuda.ffs(a[i])

    limits = np.iinfo(dtype)
    a = np.array([0, 1, 2, 3, 40, 12345, limits.max, limits.min, limits.max // 3], dtype)
    out = np.zeros((9, 3), np.int64)
    clean(kernel, 1, 9, out, a)
    for number, found in zip(a.tolist(), out.tolist(), strict=True):
        pattern = number % 2**bits
        assert found == [pattern.bit_count(), bits - pattern.bit_length(), (pattern & -pattern).bit_length()]


def test_reversed_bits():
    @cuda.jit
    def kernel(out32, a32, out64, a64):
        i = cuda.grid(1)
        out32[i], out64[i] = cuda.brev(a32[i]), cuda.brev(a64[i])

    a32, a64 = np.array([1, 6, 2**31, 12345], np.uint32), np.array([1, 6, 2**63, 12345], np.uint64)
    out32, out64 = np.zeros(4, np.uint32), np.zeros(4, np.uint64)
    clean(kernel, 1, 4, out32, a32, out64, a64)
    assert out32.tolist() == [int(f"{number:032b}"[::-1], 2) for number in a32.tolist()]
    assert out64.tolist() == [int(f"{number:064b}"[::-1], 2) for number in a64.tolist()]


def test_fused_multiply_add_rounds_once():
    from fractions import Fraction

    @cuda.jit
    def kernel(out, a, b, c):
        i = cuda.grid(1)
        out[i] = cuda.fma(a[i], b[i], c[i])

    random = np.random.default_rng(2)
    for dtype in (np.float32, np.float64):
        a, b = random.normal(size=(2, 300)).astype(dtype)
        c = (-(a.astype(np.float64) * b)).astype(dtype)  # what is left is what rounding lost
        c[150:] = random.normal(size=150)
        out = np.zeros(300, dtype)
        clean(kernel, 3, 100, out, a, b, c)
        exact = [Fraction(float(x)) * Fraction(float(y)) + Fraction(float(z)) for x, y, z in zip(a, b, c, strict=True)]
        assert out.tolist() == [float(nearest(value, dtype)) for value in exact]


def nearest(value: Any, dtype: Any) -> Any:
    """A fraction correctly rounded to a float type: of the two neighbours of an estimate the nearer one."""
    guess = dtype(float(value))
    around = [np.nextafter(guess, dtype(-np.inf)), guess, np.nextafter(guess, dtype(np.inf))]
    from fractions import Fraction

    return min(around, key=lambda x: (abs(Fraction(float(x)) - value), int(x.view(f"u{x.itemsize}")) & 1))


def test_selp_and_cbrt():
    @cuda.jit
    def kernel(out, a):
        i = cuda.grid(1)
        out[i, 0] = cuda.selp(i % 2 == 0, a[i], -a[i])
        out[i, 1] = cuda.cbrt(a[i])

    a, out = np.array([1.0, 8.0, 27.0, 2.0]), np.zeros((4, 2))
    clean(kernel, 1, 4, out, a)
    assert out[:, 0].tolist() == [1, -8, 27, -2]
    np.testing.assert_allclose(out[:, 1], np.cbrt(a), rtol=1e-15)


MATH = ("sqrt", "exp", "log", "log2", "log10", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh",
        "asinh", "atanh", "expm1", "log1p", "erf", "erfc", "gamma", "lgamma", "fabs", "floor", "ceil", "trunc",
        "radians", "degrees")


@pytest.mark.parametrize("name", MATH)
def test_mathematics(name):
    names: dict[str, Any] = {"cuda": cuda, "math": math}
    exec("@cuda.jit\ndef kernel(out, single, a, b):\n    i = cuda.grid(1)\n"
         f"    out[i], single[i] = math.{name}(a[i]), math.{name}(b[i])\n", names)
    a = np.array([0.125, 0.25, 0.5, 0.75, 0.875, 0.9375])
    out, single = np.zeros(6), np.zeros(6, np.float32)
    clean(names["kernel"], 1, 6, out, single, a, a.astype(np.float32))
    expected = [getattr(math, name)(x) for x in a]
    np.testing.assert_allclose(out, expected, rtol=1e-15)
    np.testing.assert_allclose(single, expected, rtol=3e-7)


def test_mathematics_of_two():
    @cuda.jit
    def kernel(out, a, b):
        i = cuda.grid(1)
        x, y = a[i], b[i]
        out[i, 0], out[i, 1], out[i, 2] = math.atan2(x, y), math.copysign(x, y), math.fmod(x, y)
        out[i, 3], out[i, 4], out[i, 5] = math.hypot(x, y), math.pow(x, y), math.remainder(x, y)
        out[i, 6], out[i, 7] = math.nextafter(x, y), math.ldexp(x, int32(3))
        fraction, exponent = math.frexp(x)
        part, whole = math.modf(x)
        out[i, 8], out[i, 9], out[i, 10], out[i, 11] = fraction, exponent, part, whole

    a, b = np.array([5.5, 1.25, 9.0]), np.array([2.0, -3.0, 0.7])
    out = np.zeros((3, 12))
    clean(kernel, 1, 3, out, a, b)
    for x, y, row in zip(a, b, out, strict=True):
        expected = [math.atan2(x, y), math.copysign(x, y), math.fmod(x, y), math.hypot(x, y), math.pow(x, y),
                    math.remainder(x, y), math.nextafter(x, y), math.ldexp(x, 3), *math.frexp(x), *math.modf(x)]
        np.testing.assert_allclose(row, expected, rtol=1e-15)


def test_tests_of_floats():
    @cuda.jit
    def kernel(out, a):
        i = cuda.grid(1)
        out[i, 0], out[i, 1], out[i, 2] = math.isnan(a[i]), math.isinf(a[i]), math.isfinite(a[i])

    out = np.zeros((4, 3), np.bool_)
    clean(kernel, 1, 4, out, np.array([1.0, np.nan, np.inf, -np.inf]))
    assert out.tolist() == [[False, False, True], [True, False, False], [False, True, False], [False, True, False]]


def test_python_s_own_functions():
    @cuda.jit
    def kernel(out, a, b):
        i = cuda.grid(1)
        x, y = a[i], b[i]
        out[i, 0], out[i, 1], out[i, 2] = abs(x), min(x, y), max(x, y, 3)
        out[i, 3], out[i, 4], out[i, 5] = round(y), int(y), len(a)
        out[i, 6], out[i, 7] = divmod(x, 3)
        out[i, 8], out[i, 9], out[i, 10] = bool(x), float(x) / 2, pow(x, 2)
        out[i, 11] = round(y, 1)

    a, b = np.array([-7, 0, 4]), np.array([2.5, -1.55, 3.5])
    out = np.zeros((3, 12))
    clean(kernel, 1, 3, out, a, b)
    for x, y, row in zip(a.tolist(), b.tolist(), out.tolist(), strict=True):
        expected = [abs(x), min(x, y), max(x, y, 3), round(y), int(y), 3, *divmod(x, 3), bool(x), x / 2, x**2]
        assert row[:11] == expected
        assert row[11] == pytest.approx(round(y, 1))


def test_casts():
    @cuda.jit
    def kernel(out, a):
        i = cuda.grid(1)
        out[i, 0], out[i, 1], out[i, 2] = int32(a[i]), uint32(int64(a[i])), float32(a[i])
        out[i, 3], out[i, 4], out[i, 5] = np.int8(int64(a[i])), np.float64(float32(a[i])), np.uint16(int64(a[i]))

    a = np.array([3.99, -3.99, 300.5, 1e9, 0.1])
    out = np.zeros((5, 6))
    clean(kernel, 1, 5, out, a)
    for x, row in zip(a.tolist(), out.tolist(), strict=True):
        whole, single = int(x), float(np.float32(x))
        assert row == [whole, whole % 2**32, single, (whole + 128) % 256 - 128, single, whole % 65536]


def test_print():
    @cuda.jit
    def kernel(a):
        i = cuda.grid(1)
        if i % 2 == 0:
            print("thread", i, a[i])

    run = clean(kernel, 1, 4, np.array([0.5, 1.5, 2.5, 3.5]))
    assert run.printed == "thread 0 0.5\nthread 2 2.5\n"


@cuda.jit(device=True)
def _weighed(x, y=2, *rest):
    return x + y * 10 + rest[-1] * len(rest) if len(rest) > 0 else x + y * 10


def test_a_device_function_takes_any_number_of_arguments():
    @cuda.jit
    def kernel(out, a):
        i = cuda.grid(1)
        out[i, 0] = _weighed(a[i])
        out[i, 1] = _weighed(a[i], i)
        out[i, 2] = _weighed(a[i], i, 0.5)
        out[i, 3] = _weighed(a[i], i, 1, i, a[i])

    a = np.arange(4, dtype=np.float32) + 3
    out = np.zeros((4, 4))
    gpulab.simulate(kernel, 1, 4, out, a)
    i = np.arange(4)
    assert np.array_equal(out.T, [a + 20, a + i * 10, a + i * 10 + 0.5, a + i * 10 + 3 * a])
