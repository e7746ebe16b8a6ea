"""A plain read that a compare-and-swap checks is no race with atomics; any other plain read is."""

from __future__ import annotations

import numpy as np
import pytest
from numba import cuda, float32, float64, int16, int32, int64

import gpulab
from tests.simt.marks import line, lines, only

N = 64
VALUES = np.arange(2 * N) % 5
COUNTS = np.bincount(VALUES).tolist()


@cuda.jit
def count_in_global(bins, a):
    i = cuda.grid(1)
    old = bins[a[i]]
    while True:
        seen = cuda.atomic.cas(bins, a[i], old, old + 1)
        if seen == old:
            break
        old = seen


@cuda.jit
def count_in_shared(bins, a):
    s = cuda.shared.array(5, int32)
    t = cuda.threadIdx.x
    if t < 5:
        s[t] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), a.size, cuda.gridsize(1)):
        old = s[a[i]]
        while True:
            seen = cuda.atomic.cas(s, a[i], old, old + 1)
            if seen == old:
                break
            old = seen
    cuda.syncthreads()
    if t < 5:
        cuda.atomic.add(bins, t, s[t])


@cuda.jit
def count_rereading(bins, a):
    i = cuda.grid(1)
    done = False
    while not done:
        old = bins[a[i]]
        done = cuda.atomic.cas(bins, a[i], old, old + 1) == old


@cuda.jit(device=True)
def add_one(cells, k):
    old = cells[k]
    while True:
        seen = cuda.atomic.cas(cells, k, old, old + 1)
        if seen == old:
            return
        old = seen


@cuda.jit
def count_in_a_function(bins, a):
    add_one(bins, a[cuda.grid(1)])


@cuda.jit
def count_beside_adding(bins, a):
    i = cuda.grid(1)
    if i % 2 == 0:
        cuda.atomic.add(bins, a[i], 1)
    else:
        add_one(bins, a[i])
    if i % 2 == 0:
        add_one(bins, a[i])
        cuda.atomic.sub(bins, a[i], 1)


@pytest.mark.parametrize("order", [None, 1])
@pytest.mark.parametrize("kernel", [count_in_global, count_in_shared, count_rereading, count_in_a_function,
                                    count_beside_adding])
def test_a_compare_and_swap_loop_counts_right_and_is_no_race(kernel, order):
    bins = np.zeros(5, np.int32)
    run = gpulab.simulate(kernel, 2, N, bins, VALUES, order=order)
    assert run.findings == []
    assert bins.tolist() == COUNTS


def test_warps_that_take_turns_may_swap_too():
    """The first warp waits for the others, which only fair turns get to their swaps."""

    @cuda.jit
    def kernel(bins, a, done):
        t = cuda.threadIdx.x
        if t < 32:
            while cuda.atomic.add(done, 0, 0) < 2 * N - 32:
                pass
            add_one(bins, a[t])
        else:
            add_one(bins, a[t])
            cuda.atomic.add(done, 0, 1)

    bins = np.zeros(5, np.int32)
    assert gpulab.simulate(kernel, 1, 2 * N, bins, VALUES, np.zeros(1, np.int32)).findings == []
    assert bins.tolist() == COUNTS


def test_a_sum_and_a_greatest_value_by_compare_and_swap():
    @cuda.jit
    def kernel(total, a):
        mine = a[cuda.grid(1)]
        old = total[0, 0]
        while True:
            seen = cuda.atomic.cas(total, (0, 0), old, old + mine)
            if seen == old:
                break
            old = seen
        row = total[1]
        old = row[0]
        while old < mine:
            seen = cuda.atomic.cas(total, (1, 0), old, mine)
            if seen == old:
                break
            old = seen

    total, a = np.zeros((2, 1), np.int64), np.arange(1, 2 * N + 1)
    assert gpulab.simulate(kernel, 2, N, total, a).findings == []
    assert total.tolist() == [[a.sum()], [2 * N]]


def test_compare_and_swap_of_a_first_element():
    @cuda.jit
    def kernel(total):
        old = total[0]
        while True:
            seen = cuda.atomic.compare_and_swap(total, old, old + 1)
            if seen == old:
                break
            old = seen

    total = np.zeros(1, np.int32)
    assert gpulab.simulate(kernel, 2, N, total).findings == []
    assert total[0] == 2 * N


@pytest.mark.parametrize("first", ["read", "store"])
def test_a_plain_store_of_another_thread_races_with_the_read(first):
    if first == "read":
        @cuda.jit
        def kernel(c):
            old = c[0]  # <- read
            if cuda.threadIdx.x == 40:
                c[0] = 7  # <- store
            elif cuda.threadIdx.x == 0:
                cuda.atomic.cas(c, 1, old, 2)
    else:
        @cuda.jit
        def kernel(c):
            if cuda.threadIdx.x == 40:
                c[0] = 7  # <- store
            old = c[0]  # <- read
            cuda.atomic.cas(c, 1, old, 2)

    race = only(gpulab.simulate(kernel, 1, N, np.zeros(2, np.int32)), "race")
    assert lines(race) == {line(kernel, "read"), line(kernel, "store")}


def test_storing_one_more_than_was_read_is_a_race():
    @cuda.jit
    def kernel(bins, a):
        i = cuda.grid(1)
        old = bins[a[i]]  # <- read
        bins[a[i]] = old + 1  # <- store

    race = only(gpulab.simulate(kernel, 2, N, np.zeros(5, np.int32), VALUES), "race")
    assert line(kernel, "store") in lines(race)


def test_a_swap_that_compares_with_something_else_leaves_the_read_a_race():
    @cuda.jit
    def kernel(c, d):
        old = c[0]  # <- read
        cuda.atomic.cas(d, cuda.grid(1), old, 1)
        cuda.atomic.add(c, 0, 1)  # <- add

    race = only(gpulab.simulate(kernel, 1, N, np.zeros(1, np.int32), np.zeros(N, np.int32)), "race")
    assert lines(race) == {line(kernel, "read"), line(kernel, "add")}


def test_the_same_holds_for_two_shared_arrays():
    @cuda.jit
    def kernel(out):
        s = cuda.shared.array(N, int32)
        d = cuda.shared.array(N, int32)
        t = cuda.threadIdx.x
        s[t] = 0
        d[t] = 0
        cuda.syncthreads()
        old = s[0]  # <- read
        cuda.atomic.cas(d, t, old, 1)
        cuda.atomic.add(s, 0, 1)  # <- add
        cuda.syncthreads()
        out[t] = s[0]

    race = only(gpulab.simulate(kernel, 1, N, np.zeros(N, np.int32)), "race")
    assert lines(race) == {line(kernel, "read"), line(kernel, "add")}


def test_a_value_computed_from_the_read_is_no_guess():
    @cuda.jit
    def kernel(c):
        if c[0] == 0:  # <- look
            cuda.atomic.cas(c, 0, 0, 1)  # <- swap

    race = only(gpulab.simulate(kernel, 2, 1, np.zeros(1, np.int32)), "race")
    assert lines(race) == {line(kernel, "look"), line(kernel, "swap")}


def test_another_read_of_the_element_is_a_race_still():
    @cuda.jit
    def kernel(c, out):
        old = c[0]
        while True:
            seen = cuda.atomic.cas(c, 0, old, old + 1)  # <- swap
            if seen == old:
                break
            old = seen
        out[cuda.grid(1)] = c[0]  # <- read

    race = only(gpulab.simulate(kernel, 1, N, np.zeros(1, np.int32), np.zeros(N, np.int32)), "race")
    assert lines(race) == {line(kernel, "swap"), line(kernel, "read")}


@cuda.jit(device=True)
def element(cells, k):
    if k < 0:
        return cells[0]
    return cells[k]


@cuda.jit(device=True)
def element_by_another(cells, k):
    return element(cells, k)


@cuda.jit(device=True)
def as_it_is(x):
    return x


@cuda.jit(device=True)
def swap(cells, k, old, new):
    return cuda.atomic.cas(cells, k, old, new)


@cuda.jit(device=True)
def add_one_from(cells, k, old):
    while True:
        seen = swap(cells, k, as_it_is(old), old + 1)
        if seen == old:
            return
        old = seen


def loop(first, compared="old", swapped="cuda.atomic.cas(bins, a[i], {}, old + 1)"):
    """A kernel that begins with `first` and swaps with `compared`."""
    source = f"""
def kernel(bins, a):
    i = cuda.grid(1)
    old = {first}
    while True:
        seen = {swapped.format(compared)}
        if seen == old:
            break
        old = seen
"""
    names = {"cuda": cuda, "element": element, "element_by_another": element_by_another, "as_it_is": as_it_is,
             "swap": swap, "int64": int64, "int16": int16, "float32": float32, "float64": float64}
    exec(source, names)
    return cuda.jit(names["kernel"])


@cuda.jit
def count_in_a_function_that_is_given_the_value(bins, a):
    k = a[cuda.grid(1)]
    add_one_from(bins, k, bins[k])


@pytest.mark.parametrize("kernel", [
    loop("element(bins, a[i])"), loop("element_by_another(bins, a[i])"), loop("as_it_is(bins[a[i]])"),
    loop("bins[a[i]]", swapped="swap(bins, a[i], {}, old + 1)"), loop("int64(bins[a[i]])"), loop("int(bins[a[i]])"),
    loop("bins[a[i]]", "float64(old)"), loop("as_it_is(int64(element(bins, a[i])))", "as_it_is(old)"),
    count_in_a_function_that_is_given_the_value,
], ids=range(9))
def test_the_value_may_take_its_way_through_functions_and_conversions_that_keep_it(kernel):
    bins = np.zeros(5, np.int32)
    assert gpulab.simulate(kernel, 2, N, bins, VALUES).findings == []
    assert bins.tolist() == COUNTS


@pytest.mark.parametrize("kernel", [
    loop("int16(bins[a[i]])"), loop("bins[a[i]]", "float32(old)"), loop("bins[a[i]]", "old + 0"),
    loop("element(a, i) + element(bins, a[i]) - a[i]"),
], ids=["int16", "float32", "a sum", "a sum of two"])
def test_a_value_that_may_have_changed_on_its_way_is_no_guess(kernel):
    bins = np.zeros(5, np.int32)
    assert "race" in [finding.kind for finding in gpulab.simulate(kernel, 2, N, bins, VALUES).findings]


def test_a_device_function_guesses_for_the_one_who_swaps_only():
    @cuda.jit
    def kernel(bins, a, out):
        i = cuda.grid(1)
        old = element(bins, a[i])
        while True:
            seen = cuda.atomic.cas(bins, a[i], old, old + 1)
            if seen == old:
                break
            old = seen
        out[i] = element(bins, 1)

    run = gpulab.simulate(kernel, 2, N, np.zeros(5, np.int32), VALUES, np.zeros(2 * N, np.int32))
    assert [finding.kind for finding in run.findings] == ["race"]
