"""The kernels of the app's drawn screens give the numbers that are drawn there."""

from __future__ import annotations

import numpy as np
from numba import cuda, float32

import gpulab
from tests.simt.marks import line


@cuda.jit
def speed2(out, p, n):
    i = cuda.grid(1)
    if i < n:
        vx = p[i, 3]  # <- vx
        vy = p[i, 4]  # <- vy
        out[i] = vx * vx + vy * vy  # <- out


def test_fields_of_records_move_a_sector_for_each_lane():
    """Screen 05: an array of structures, 128 of them."""
    counters = gpulab.simulate(speed2, 1, 128, np.zeros(128, np.float32), np.ones((128, 8), np.float32), 128).counters
    for field in ("vx", "vy"):
        counts = counters.lines[line(speed2, field)]
        assert (counts["global_load_requests"], counts["global_load_sectors"]) == (4, 128)
        assert counts["global_load_sectors"] / counts["global_load_requests"] == 32
        assert counts["global_load_sectors_ideal"] / counts["global_load_requests"] == 4
        assert (counts["global_load_bytes_asked"], counts["global_load_bytes"]) == (512, 4096)
        assert (counts["warp_executions"], counts["active_lanes_percent"]) == (4, 100)
    stores = counters.lines[line(speed2, "out")]
    assert stores["global_store_sectors"] / stores["global_store_requests"] == 4
    totals = counters.totals
    assert totals["global_load_bytes"] / 128 == 64 and totals["global_store_bytes"] / 128 == 4
    assert (totals["global_load_sectors_ideal"] + totals["global_store_sectors_ideal"]) * 32 / 128 == 12


def test_the_second_field_of_a_record_finds_its_sectors_in_the_cache_but_asks_all_the_same():
    """Screen 05, Lines 10 and 11: neither is dropped as compiled, since they are different elements."""
    counters = gpulab.simulate(speed2, 1, 128, np.zeros(128, np.float32), np.ones((128, 8), np.float32), 128).counters
    assert counters.compiled.totals == {}


@cuda.jit
def map2d(out, a):
    x, y = cuda.grid(2)
    rows, columns = a.shape
    if y < rows and x < columns:  # <- guard
        out[y, x] = a[y, x] + 10  # <- map


def test_rows_that_begin_within_a_sector_touch_six_where_four_would_do():
    """Screen 05b: 10 x 20 elements, blocks of 8 x 4."""
    a = np.zeros((10, 20), np.float32)
    counters = gpulab.simulate(map2d, (3, 3), (8, 4), a.copy(), a).counters
    assert counters.lines[line(map2d, "guard")]["executions"] == 288
    mapped = counters.lines[line(map2d, "map")]
    assert mapped["executions"] == mapped["global_stores"] == mapped["global_loads"] == 200
    assert mapped["active_lanes_percent"] == round(100 * 200 / 288, 2)
    one = gpulab.simulate(only_block_1_1, (3, 3), (8, 4), a.copy(), a).counters.lines[line(only_block_1_1, "map")]
    for kind in ("load", "store"):
        assert one[f"global_{kind}_requests"] == 1
        assert (one[f"global_{kind}_sectors"], one[f"global_{kind}_sectors_ideal"]) == (6, 4)


@cuda.jit
def only_block_1_1(out, a):
    x, y = cuda.grid(2)
    if cuda.blockIdx.x == 1 and cuda.blockIdx.y == 1:
        out[y, x] = a[y, x] + 10  # <- map


def staging(width):
    """A kernel whose tile has rows of this many columns."""

    @cuda.jit
    def total(out, p, n):
        tile = cuda.shared.array((32, width), float32)
        t = cuda.threadIdx.x
        i = cuda.grid(1)
        b = cuda.blockIdx.x * 256
        for k in range(8):
            tile[k * 4 + t // 8, t % 8] = p[b + k * 32 + t]  # <- fill
        cuda.syncthreads()
        s = float32(0)
        for k in range(8):
            s += tile[t, k]  # <- sum
        out[i] = s

    return total


def staged(width):
    """Counts of the lines that fill and sum the tile, in a block of one warp."""
    kernel = staging(width)
    p = np.arange(256, dtype=np.float32)
    run = gpulab.simulate(kernel, 1, 32, np.zeros(32, np.float32), p, 32)
    assert run.findings == []
    return run.counters.lines[line(kernel, "fill")], run.counters.lines[line(kernel, "sum")]


def test_a_column_of_a_tile_eight_wide_takes_eight_wavefronts():
    """Screen 06."""
    fill, sums = staged(8)
    assert (sums["shared_load_requests"], sums["shared_load_wavefronts"]) == (8, 64)
    assert sums["shared_load_bank_conflicts"] == 56 and sums["active_lanes_percent"] == 100
    assert fill["shared_store_wavefronts"] / fill["shared_store_requests"] == 1


def test_padding_by_one_frees_the_loads_and_costs_the_stores_one_wavefront_more():
    """Screen 06, `padded`."""
    fill, sums = staged(9)
    assert (sums["shared_load_requests"], sums["shared_load_wavefronts"]) == (8, 8)
    assert "shared_load_bank_conflicts" not in sums
    assert fill["shared_store_wavefronts"] / fill["shared_store_requests"] == 2


@cuda.jit
def block_sum(a):
    tile = cuda.shared.array(16, float32)
    t = cuda.threadIdx.x
    tile[t] = a[cuda.grid(1)]  # <- load
    cuda.syncthreads()  # <- first
    s = 8
    while s > 0:
        if t < s:
            tile[t] += tile[t + s]  # <- add
        cuda.syncthreads()  # <- step
        s //= 2
    a[0] = tile[0]


def test_a_tree_sum_has_one_wavefront_a_request_and_half_the_threads_each_step():
    """Screen 06b: 16 cells, 5 barriers. The drawn row says requests: two loads and one store in each of 4 steps."""
    run = gpulab.simulate(block_sum, 1, 16, np.arange(16, dtype=np.float32))
    lines = run.counters.lines
    load, add = lines[line(block_sum, "load")], lines[line(block_sum, "add")]
    assert load["shared_store_wavefronts"] / load["shared_store_requests"] == 1
    assert (add["shared_load_requests"], add["shared_store_requests"]) == (8, 4)
    assert add["shared_load_wavefronts"] / add["shared_load_requests"] == 1
    assert (add["executions"], add["warp_executions"]) == (8 + 4 + 2 + 1, 4)
    assert lines[line(block_sum, "first")]["barriers"] == 1 and lines[line(block_sum, "step")]["barriers"] == 4


def pooling():
    """The kernel of screen 03, its barrier missing."""
    cells = 66

    @cuda.jit
    def pool(out, a, n):
        tile = cuda.shared.array(cells, float32)
        t = cuda.threadIdx.x
        i = cuda.grid(1)
        if i < n:
            tile[t + 2] = a[i]
        if t < 2:
            tile[t] = a[i - 2] if i >= 2 else 0.0
        if i < n:
            out[i] = tile[t] + tile[t + 1] + tile[t + 2]

    return pool


def test_a_tile_with_a_halo_loads_a_little_more_than_once():
    """Screen 03: 1.03 global loads per output."""
    n = 1000
    a = np.ones(n, np.float32)
    totals = gpulab.simulate(pooling(), -(-n // 64), 64, np.zeros(n, np.float32), a, n).counters.totals
    assert round(totals["global_loads"] / n, 2) == 1.03
