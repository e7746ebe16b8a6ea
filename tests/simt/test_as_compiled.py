"""As written and as compiled: what NVVM and ptxas of CUDA 13 were seen to do for compute capability 9.0, by kernel.

The numbers in the tests are the loads that stood in the machine code of these very kernels (LDG and LDS, by width).
"""

from __future__ import annotations

import json

import msgspec
import numpy as np
import pytest
from numba import cuda, float32, float64, int8, int32, int64

import gpulab
from gpulab.trace import Counters
from gpulab.trace.counters import add_counters
from tests.simt.marks import line


def run(kernel, threads=16, cells=600, dtype=np.float32, **keywords):
    return gpulab.simulate(kernel, 1, threads, np.zeros(cells, dtype), np.ones(cells, dtype), findings=False,
                           **keywords).counters


def as_compiled(counters, name):
    """A total as compiled: as written where nothing differs."""
    return counters.compiled.totals.get(name, counters.totals[name])


# ---- loads that are dropped -----------------------------------------------------------------------------------------


@cuda.jit
def twice(out, a):
    i = cuda.grid(1)
    out[i] = a[i] * a[i] + a[i + 1]  # <- first
    out[i + 1] = a[i]  # <- again


def test_a_second_read_is_dropped_until_a_store_that_may_have_changed_it():
    """`out` may be `a`: the load after the store stays."""
    counters = run(twice)
    assert (counters.totals["global_load_requests"], as_compiled(counters, "global_load_requests")) == (4, 3)
    first = line(twice, "first")
    assert counters.lines[first]["global_loads"] == 48
    assert counters.compiled.lines[first]["global_loads"] == 32
    assert counters.compiled.why == {first: ["The compiler keeps the value: this thread has it already, and nothing "
                                             "could have changed it since."]}
    assert line(twice, "again") not in counters.compiled.lines


@cuda.jit
def across_barriers(out, a):
    t = cuda.threadIdx.x
    tile = cuda.shared.array(64, float32)
    tile[t] = a[t]
    cuda.syncthreads()
    x = tile[t + 1] * tile[t + 1]
    cuda.syncthreads()
    out[t] = x + tile[t + 1]


@cuda.jit
def across_spaces(out, a):
    t = cuda.threadIdx.x
    tile = cuda.shared.array(64, float32)
    tile[t] = a[t]
    x = a[t] + tile[t]  # both are had already: a store to shared memory changes nothing in global memory
    cuda.syncthreads()
    out[t] = x + a[t]


@cuda.jit
def unused(out, a):
    i = cuda.grid(1)
    x = a[i]
    y = x + 1  # noqa: F841
    out[i] = 1


@cuda.jit
def on_both_paths(out, a):
    i = cuda.grid(1)
    if i % 2:
        x = a[i]  # used by nothing
        out[i + 20] = 1
        x = a[i]
    else:
        x = a[i] + 1
    out[i] = x + a[i]  # had on either path


@cuda.jit
def on_one_path(out, a):
    i = cuda.grid(1)
    x = float32(0)
    if i % 2:
        x = a[i]
    out[i] = x + a[i]


@cuda.jit
def in_a_loop(out, a):
    i = cuda.grid(1)
    s = float32(0)
    for k in range(4):
        s += a[k] * a[k]  # another element in each round
    out[i] = s


@pytest.mark.parametrize(("kernel", "name", "written", "compiled"), [
    (across_barriers, "shared_load_requests", 3, 2),
    (across_spaces, "global_load_requests", 3, 2),
    (across_spaces, "shared_load_requests", 1, 0),
    (unused, "global_load_requests", 1, 0),
    (on_both_paths, "global_load_requests", 4, 2),
    (in_a_loop, "global_load_requests", 8, 4),
])
def test_repeated_and_unused_loads_are_dropped(kernel, name, written, compiled):
    counters = run(kernel)
    assert (counters.totals[name], as_compiled(counters, name)) == (written, compiled)


def test_a_load_had_on_one_path_only_is_left_as_written():
    """The estimate stops here: ptxas made one load of the two, ahead of the branch."""
    assert run(on_one_path).compiled.totals == {}


# ---- loads that are merged ------------------------------------------------------------------------------------------


def row_sum(width, rounds, dtype=float32):
    """A kernel that adds up the first cells of rows of a tile."""

    @cuda.jit
    def kernel(out, a):
        tile = cuda.shared.array((32, width), dtype)
        t = cuda.threadIdx.x
        tile[t, 0] = a[t]
        cuda.syncthreads()
        s = dtype(0)
        for k in range(rounds):
            s += tile[t, k]  # <- row
        out[t] = s

    return kernel


@pytest.mark.parametrize(("width", "rounds", "dtype", "compiled"), [
    (8, 8, float32, 2), (16, 16, float32, 4), (32, 32, float32, 8), (64, 64, float32, 16),  # 128 bits at once
    (10, 10, float32, 5),  # rows of 40 bytes: 64 bits at once
    (9, 8, float32, 8), (33, 32, float32, 32),  # rows that begin anywhere
    (128, 128, float32, 128),  # too long to be laid out
    (8, 8, float64, 4), (8, 8, int64, 4), (16, 16, int8, 16),
])
def test_rows_of_a_tile_are_loaded_several_cells_at_once_where_rows_allow(width, rounds, dtype, compiled):
    kernel = row_sum(width, rounds, dtype)
    np_type = np.dtype(str(dtype))
    counters = run(kernel, 16, dtype=np_type)
    assert counters.totals["shared_load_requests"] == rounds
    assert as_compiled(counters, "shared_load_requests") == compiled


def test_a_merged_load_takes_the_wavefronts_of_its_width():
    """32 rows of 8 floats: 8 lanes queue at each bank, and a 128-bit load still moves all the bytes."""
    counters = run(row_sum(8, 8), 32)
    assert counters.totals["shared_load_wavefronts"] == 8 * 8
    assert counters.totals["shared_load_bank_conflicts"] == 7 * 8
    assert as_compiled(counters, "shared_load_requests") == 2
    # a quarter warp covers 8 rows, 256 bytes apart by twos in each bank: 2 wavefronts, 8 for the warp
    assert as_compiled(counters, "shared_load_wavefronts") == 2 * 8
    assert as_compiled(counters, "shared_load_bank_conflicts") == 2 * 4


@cuda.jit
def flat_rows(out, a):
    t = cuda.threadIdx.x
    tile = cuda.shared.array(256, float32)
    tile[t] = a[t]
    cuda.syncthreads()
    s = float32(0)
    for k in range(16):
        s += tile[t * 16 + k]
    out[t] = s


@cuda.jit
def windows(out, a):
    t = cuda.threadIdx.x
    tile = cuda.shared.array(256, float32)
    tile[t] = a[t]
    cuda.syncthreads()
    s = float32(0)
    for k in range(16):
        s += tile[t + k]
    out[t] = s


@cuda.jit
def row_view(out, a):
    t = cuda.threadIdx.x
    tile = cuda.shared.array((16, 16), float32)
    tile[t, 0] = a[t]
    cuda.syncthreads()
    s = float32(0)
    row = tile[t]
    for k in range(16):
        s += row[k]
    out[t] = s


@cuda.jit
def guarded(out, a):
    t = cuda.threadIdx.x
    tile = cuda.shared.array((16, 16), float32)
    tile[t, 0] = a[t]
    cuda.syncthreads()
    s = float32(0)
    for k in range(16):
        if k < t + 16:
            s += tile[t, k]
    out[t] = s


@cuda.jit
def from_tile_to_tile(out, a):
    t = cuda.threadIdx.x
    one = cuda.shared.array((16, 16), float32)
    other = cuda.shared.array((16, 16), float32)
    one[t, 0] = a[t]
    cuda.syncthreads()
    for k in range(16):
        other[t, k] = one[t, k]
    cuda.syncthreads()


@pytest.mark.parametrize(("kernel", "compiled"), [
    (flat_rows, 4), (windows, 16), (row_view, 4), (guarded, 16), (from_tile_to_tile, 16),
])
def test_what_else_is_merged_and_what_is_not(kernel, compiled):
    counters = run(kernel)
    assert (counters.totals["shared_load_requests"], as_compiled(counters, "shared_load_requests")) == (16, compiled)


def test_in_a_tiled_product_one_of_the_two_tiles_is_loaded_four_cells_at_once():
    """16 x 16: LDS.128 for the row, LDS.32 for the column."""
    tile = 16

    @cuda.jit
    def matmul(c, a, b):
        left = cuda.shared.array((tile, tile), float32)
        right = cuda.shared.array((tile, tile), float32)
        tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
        left[ty, tx] = a[ty, tx]
        right[ty, tx] = b[ty, tx]
        cuda.syncthreads()
        s = float32(0)
        for k in range(tile):
            s += left[ty, k] * right[k, tx]
        c[ty, tx] = s

    m = np.ones((tile, tile), np.float32)
    counters = gpulab.simulate(matmul, 1, (tile, tile), np.zeros_like(m), m, m).counters
    warps = 8
    assert counters.totals["shared_load_requests"] == 32 * warps
    assert as_compiled(counters, "shared_load_requests") == (16 + 4) * warps


# ---- atomics that become loops --------------------------------------------------------------------------------------


UPDATING = """
@cuda.jit
def in_shared(out, a):
    cells = cuda.shared.array(4, dtype)
    cuda.atomic.{operation}(cells, cuda.threadIdx.x % 4, a[0])

@cuda.jit
def in_global(out, a):
    cuda.atomic.{operation}(out, cuda.threadIdx.x % 4, a[0])
"""


def updating(operation, shared, dtype):
    """A kernel whose 32 threads update 4 cells, 8 a cell."""
    names = {"cuda": cuda, "dtype": dtype}
    exec(UPDATING.format(operation=operation), names)
    return names["in_shared" if shared else "in_global"]


ROUNDS = 8
"""Eight lanes want each cell: in a loop that loads each time, the last of them tries eight times."""


@pytest.mark.parametrize(("operation", "shared", "dtype", "requests"), [
    ("add", False, float32, 0), ("add", False, float64, 0), ("add", False, int64, 0), ("add", True, int32, 0),
    ("add", True, float32, ROUNDS), ("add", True, float64, ROUNDS), ("add", True, int64, ROUNDS),
    ("max", True, int64, ROUNDS), ("max", True, float32, 1), ("max", False, float32, 1), ("max", False, int64, 0),
    ("exch", True, int64, 0), ("sub", False, float32, 1),
])
def test_atomics_the_hardware_lacks_load_in_a_loop(operation, shared, dtype, requests):
    counters = run(updating(operation, shared, dtype), 32, 4, np.dtype(str(dtype)))
    space = "shared" if shared else "global"
    name = f"{space}_load_requests"
    assert counters.totals["atomics"] == 32 and counters.totals["atomic_conflicts"] == 28
    assert as_compiled(counters, name) - counters.totals[name] == requests
    loads = as_compiled(counters, f"{space}_loads") - counters.totals[f"{space}_loads"]
    assert loads == {0: 0, 1: 32, ROUNDS: 4 * sum(range(1, ROUNDS + 1))}[requests]


# ---- the data -------------------------------------------------------------------------------------------------------


def test_where_nothing_differs_there_is_nothing():
    counters = run(windows)
    assert (counters.compiled.totals, counters.compiled.lines, counters.compiled.why) == ({}, {}, {})


def test_counters_survive_json_both_ways():
    counters = run(twice)
    again = msgspec.json.decode(msgspec.json.encode(counters), type=Counters)
    assert again == counters
    assert json.loads(msgspec.json.encode(counters))["compiled"]["totals"]["global_load_requests"] == 3


def test_counters_of_several_launches_add_up_as_written_and_as_compiled():
    once, twofold = run(twice), add_counters([run(twice), run(twice)])
    for name, count in once.totals.items():
        assert twofold.totals[name] == (count if name == "active_lanes_percent" else 2 * count), name
    assert twofold.compiled.totals == {name: 2 * count for name, count in once.compiled.totals.items()}
    assert twofold.compiled.why == once.compiled.why
    mixed = add_counters([run(twice), run(windows)])
    assert as_compiled(mixed, "global_load_requests") == 3 + as_compiled(run(windows), "global_load_requests")
