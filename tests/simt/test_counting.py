"""Every counter against a count in plain Python, thread by thread, on random patterns of access."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import cuda, float32

import gpulab
from gpulab.trace import PictureArray, PictureStep
from gpulab.trace.traffic import bank_use
from gpulab.trace.traffic import traffic as traffic_of
from tests.simt import plain_counts
from tests.simt.marks import line

CELLS = 200
ITEMS = {1: np.int8, 2: np.int16, 4: np.float32, 8: np.float64, 16: np.complex128}


def moving(dtype: Any) -> tuple[Any, Any, Any]:
    """Kernels that load and store where they are told: in global memory, in shared memory, along rows of both."""

    @cuda.jit
    def in_global(out, a, source, target, on):
        t = cuda.threadIdx.y * cuda.blockDim.x + cuda.threadIdx.x
        i = cuda.blockIdx.x * (cuda.blockDim.x * cuda.blockDim.y) + t
        s, d = source[i], target[i]
        if on[i]:
            v = a[s]  # <- load
            out[d] = v  # <- store

    @cuda.jit
    def in_shared(out, a, source, target, on):
        tile = cuda.shared.array(CELLS, dtype)
        other = cuda.shared.array(CELLS, dtype)
        t = cuda.threadIdx.y * cuda.blockDim.x + cuda.threadIdx.x
        i = cuda.blockIdx.x * (cuda.blockDim.x * cuda.blockDim.y) + t
        s, d = source[i], target[i]
        if on[i]:
            v = tile[s]  # <- load
            other[d] = v  # <- store

    @cuda.jit
    def in_rows(out, a, source, target, on):
        tile = cuda.shared.array((8, 25), dtype)
        t = cuda.threadIdx.y * cuda.blockDim.x + cuda.threadIdx.x
        i = cuda.blockIdx.x * (cuda.blockDim.x * cuda.blockDim.y) + t
        row, steps = source[i] % 8, target[i] % 25
        for k in range(steps):
            v = a[row, k]  # <- load
            tile[row, k] = v  # <- store

    return in_global, in_shared, in_rows


KERNELS = {item: moving(dtype) for item, dtype in ITEMS.items()}


@st.composite
def launches(draw: st.DrawFn) -> tuple[int, tuple[int, int]]:
    """A few blocks of one or two dimensions, mostly not a multiple of a warp."""
    threads = draw(st.sampled_from([(1, 1), (5, 1), (32, 1), (33, 1), (64, 1), (95, 1), (8, 4), (7, 9), (16, 6)]))
    return draw(st.integers(1, 3)), threads


@st.composite
def patterns(draw: st.DrawFn, count: int) -> list[int]:
    """A cell for each thread: one for all, with a stride, a permutation, or anything."""
    kind = draw(st.sampled_from(["one", "stride", "shuffled", "any"]))
    first, stride = draw(st.integers(0, CELLS - 1)), draw(st.integers(-9, 40))
    if kind == "one":
        return [first] * count
    if kind == "stride":
        return [(first + stride * i) % CELLS for i in range(count)]
    random = draw(st.randoms(use_true_random=False))
    if kind == "shuffled":
        return random.sample(list(range(CELLS)) * 2, count)
    return [random.randrange(CELLS) for _ in range(count)]


@st.composite
def plans(draw: st.DrawFn) -> tuple[int, tuple[int, int], list[int], list[int], list[bool]]:
    """A launch, where each thread loads and stores, and whether it does."""
    blocks, threads = draw(launches())
    count = blocks * threads[0] * threads[1]
    mask = draw(st.one_of(st.just([True] * count), st.lists(st.booleans(), min_size=count, max_size=count)))
    return blocks, threads, draw(patterns(count)), draw(patterns(count)), mask


def run(kernel: Any, plan: Any, *arrays: Any) -> dict[int, dict[str, float]]:
    """The counters by line; lanes that meet in a cell race here, which is not the question."""
    blocks, threads, source, target, on = plan
    indices = np.array(source), np.array(target), np.array(on)
    return gpulab.simulate(kernel, blocks, threads, *arrays, *indices, findings=False).counters.lines


def by_warp(plan: Any, cells: list[int]) -> list[list[int | None]]:
    blocks, threads, _, _, on = plan
    return [[cells[i] if on[i] else None for i in warp] for warp in plain_counts.warps_of(blocks, threads)]


def traffic(counts: dict[str, float], names: dict[str, int]) -> dict[str, float]:
    return {name: counts.get(name, 0) for name in names}


@pytest.mark.parametrize("item", ITEMS)
@settings(max_examples=40, deadline=None)
@given(plan=plans())
def test_global_accesses_are_counted_as_by_hand(item: int, plan: Any) -> None:
    kernel, _, _ = KERNELS[item]
    lines = run(kernel, plan, np.zeros(CELLS, ITEMS[item]), np.zeros(CELLS, ITEMS[item]))
    for name, cells in (("load", plan[2]), ("store", plan[3])):
        expected = plain_counts.of_global(by_warp(plan, cells), item, name)
        assert traffic(lines.get(line(kernel, name), {}), expected) == expected


@pytest.mark.parametrize("item", ITEMS)
@settings(max_examples=40, deadline=None)
@given(plan=plans())
def test_shared_accesses_are_counted_as_by_hand(item: int, plan: Any) -> None:
    _, kernel, _ = KERNELS[item]
    lines = run(kernel, plan, np.zeros(CELLS, ITEMS[item]), np.zeros(CELLS, ITEMS[item]))
    for name, cells in (("load", plan[2]), ("store", plan[3])):
        expected = plain_counts.of_shared(by_warp(plan, cells), item, name)
        assert traffic(lines.get(line(kernel, name), {}), expected) == expected


@pytest.mark.parametrize("item", ITEMS)
@settings(max_examples=20, deadline=None)
@given(plan=plans())
def test_rows_walked_in_a_loop_are_counted_as_by_hand(item: int, plan: Any) -> None:
    """Where the counts of one round are remembered for another."""
    _, _, kernel = KERNELS[item]
    blocks, threads, source, target, _ = plan
    lines = run(kernel, plan, np.zeros(CELLS, ITEMS[item]), np.zeros((8, 25), ITEMS[item]))
    warps = list(plain_counts.warps_of(blocks, threads))
    executions = [[source[i] % 8 * 25 + k if k < target[i] % 25 else None for i in warp]
                  for k in range(25) for warp in warps]
    for name, expected in (
        ("load", plain_counts.of_global(executions, item, "load")),
        ("store", plain_counts.of_shared(executions, item, "store")),
    ):
        assert traffic(lines.get(line(kernel, name), {}), expected) == expected
    counted = lines.get(line(kernel, "load"), {})
    expected_runs = plain_counts.of_executions(warps, lambda i: target[i] % 25)
    assert {name: counted[name] for name in counted if "execution" in name or "percent" in name} == expected_runs


@cuda.jit
def histogram(bins, source, on):
    table = cuda.shared.array(CELLS, np.int32)
    t = cuda.threadIdx.y * cuda.blockDim.x + cuda.threadIdx.x
    i = cuda.blockIdx.x * (cuda.blockDim.x * cuda.blockDim.y) + t
    if on[i]:
        cuda.atomic.add(bins, source[i], 1)  # <- in global
        cuda.atomic.add(table, source[i], 1)  # <- in shared
        cuda.atomic.add(bins, 7, 1)  # <- on one


@settings(max_examples=60, deadline=None)
@given(plan=plans())
def test_atomics_and_their_conflicts_are_counted_as_by_hand(plan: Any) -> None:
    blocks, threads, source, _, on = plan
    lines = gpulab.simulate(
        histogram, blocks, threads, np.zeros(CELLS, np.int32), np.array(source), np.array(on), findings=False
    ).counters.lines
    for name, cells, space in (("in global", source, "global"), ("in shared", source, "shared"),
                               ("on one", [7] * len(source), "global")):
        expected = plain_counts.of_atomics(by_warp(plan, cells))
        counts = lines.get(line(histogram, name), {})
        assert traffic(counts, expected) == expected
        assert counts.get(f"{space}_atomics", 0) == expected["atomics"]
        assert not any(counts.get(f"global_{kind}s") for kind in ("store",))


def test_totals_are_the_sums_of_the_lines_and_name_every_counter() -> None:
    plan = (2, (7, 9), list(range(126)), list(range(126)), [i % 3 > 0 for i in range(126)])
    kernel, _, _ = KERNELS[4]
    blocks, threads, source, target, on = plan
    counters = gpulab.simulate(kernel, blocks, threads, np.zeros(CELLS, np.float32), np.zeros(CELLS, np.float32),
                               np.array(source), np.array(target), np.array(on)).counters
    assert tuple(counters.totals) == gpulab.trace.COUNTERS
    for name, total in counters.totals.items():
        if name != "active_lanes_percent":
            assert total == sum(counts.get(name, 0) for counts in counters.lines.values()), name
    lanes, warps = counters.totals["executions"], counters.totals["warp_executions"]
    assert counters.totals["active_lanes_percent"] == round(100 * lanes / 32 / warps, 2)


@pytest.mark.parametrize("item", ITEMS)
def test_the_steps_of_a_picture_add_up_to_the_counters(item: int) -> None:
    """Two accounts of one launch: request by request as drawn, all at once as counted."""
    random = np.random.default_rng(item)
    blocks, threads = 2, (7, 9)
    indices = (*random.integers(0, CELLS, (2, 126)), random.random(126) < 0.7)
    for kernel, shape in zip(KERNELS[item], (CELLS, CELLS, (8, 25)), strict=True):
        arrays = np.zeros(CELLS, ITEMS[item]), np.zeros(shape, ITEMS[item])
        run = gpulab.simulate(kernel, blocks, threads, *arrays, *indices, findings=False, picture=True)
        drawn: Counter[tuple[int, str]] = Counter()
        assert run.picture is not None
        for step in (step for warp in run.picture.warps for step in warp.steps):
            array = run.picture.arrays[step.array]
            drawn.update(_figures(step, array))
        counted = {(at, name): count for at, counts in run.counters.lines.items() for name, count in counts.items()
                   if "_load_" in name or "_store_" in name}
        assert counted == {key: count for key, count in drawn.items() if count}


def _figures(step: PictureStep, array: PictureArray) -> dict[tuple[int, str], int]:
    begins = f"{array.space}_{step.kind}_"
    if array.space == "global":
        sectors = traffic_of(step, array)
        figures = {"requests": 1, "sectors": len(sectors.sectors), "sectors_ideal": sectors.best,
                   "bytes": sectors.moved, "bytes_asked": sectors.asked}
    else:
        banks = bank_use(step, array)
        figures = {"requests": 1, "wavefronts": banks.wavefronts, "bank_conflicts": banks.conflicts}
    return {(step.line, begins + name): figure for name, figure in figures.items()}


def test_a_view_that_begins_in_the_middle_of_a_sector_touches_one_more() -> None:
    kernel, _, _ = KERNELS[4]
    plan = (1, (32, 1), list(range(32)), list(range(32)), [True] * 32)
    whole = np.zeros(CELLS + 8, np.float32)
    for start, sectors in ((0, 4), (1, 5), (7, 5), (8, 4)):
        lines = run(kernel, plan, np.zeros(CELLS, np.float32), whole[start:])
        counts = lines[line(kernel, "load")]
        assert (counts["global_load_sectors"], counts["global_load_sectors_ideal"]) == (sectors, 4)


@pytest.mark.parametrize(("dtype", "start"), [(np.int8, 24), (np.int8, 1), (np.int16, 4), (np.float32, 1)])
def test_a_few_lanes_of_a_view_in_the_middle_of_a_sector_touch_it(dtype: Any, start: int) -> None:
    kernel, _, _ = moving(dtype)
    plan = (1, (32, 1), list(range(32)), list(range(32)), [lane < 4 for lane in range(32)])
    lines = run(kernel, plan, np.zeros(CELLS, dtype), np.zeros(CELLS + 32, dtype)[start:])
    assert lines[line(kernel, "load")]["global_load_sectors"] == 1


@cuda.jit
def reads_constants(out, a):
    local = cuda.local.array(4, np.float32)
    i = cuda.grid(1)
    local[0] = a[i]  # one load, one store
    local[1] = local[0] + WEIGHTS[1]  # loads: only the local one is counted
    out[i] = local[1]


WEIGHTS = np.array([1, 2, 3], np.float32)


def test_local_memory_is_counted_by_lanes_and_constants_not_at_all() -> None:
    totals = gpulab.simulate(reads_constants, 2, 20, np.zeros(40, np.float32), np.ones(40, np.float32)).counters.totals
    assert (totals["local_loads"], totals["local_stores"]) == (80, 80)
    assert (totals["global_loads"], totals["global_stores"]) == (40, 40)


def test_without_counters_there_are_none() -> None:
    run = gpulab.simulate(reads_constants, 1, 4, np.zeros(4, np.float32), np.ones(4, np.float32), counters=False)
    assert (run.counters.totals, run.counters.lines) == ({}, {})


@cuda.jit
def prints_what_it_reads(out, a, b):
    i = cuda.grid(1)
    print(i, a[b[i]], a[i] * float32(2) + float32(1))
    seen = a[i]
    print("seen", abs(seen), int(seen))
    out[i] = a[i] + float32(1)


def test_what_only_feeds_a_print_is_in_no_counter():
    a = np.arange(1, 5, dtype=np.float32)
    run = gpulab.simulate(prints_what_it_reads, 1, 4, np.zeros(4, np.float32), a, np.arange(4))
    totals = run.counters.totals
    assert (totals["global_loads"], totals["global_load_requests"], totals["flops_float32"]) == (4, 1, 4)
    assert run.counters.compiled.why == {}
    assert run.printed.splitlines()[0] == "0 1.0 3.0"


@cuda.jit
def prints_what_it_uses(out, a):
    i = cuda.grid(1)
    value = a[i]
    print(value)
    if a[i] > 2:
        print(i)
    out[i] = value


def test_what_feeds_something_else_too_counts():
    run = gpulab.simulate(prints_what_it_uses, 1, 4, np.zeros(4, np.float32), np.ones(4, np.float32))
    assert run.counters.totals["global_loads"] == 8


@cuda.jit
def prints_beyond(out, a):
    i = cuda.grid(1)
    print(a[i])
    out[i] = i


def test_what_is_printed_is_checked_all_the_same():
    run = gpulab.simulate(prints_beyond, 1, 8, np.zeros(8, np.float32), np.ones(4, np.float32))
    assert [finding.kind for finding in run.findings] == ["out of bounds"]
