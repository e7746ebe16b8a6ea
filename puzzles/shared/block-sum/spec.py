"""A tree in each of many blocks, with the working threads side by side."""

import numpy as np

from gpulab.catalog.spec import (
    Bench,
    Budget,
    Case,
    NumbaPuzzle,
    Tolerance,
    drawn,
    empty,
    larger,
    normal,
    one_thread_per,
    sizes,
)

TILE = 256


def make(rng, n):
    return Case(a=normal(rng, n), out=empty(-(-n // TILE)), n=n)


def cases(rng):
    for n in sizes(TILE):
        yield make(rng, n)
    yield drawn(make(rng, larger(rng, 1000)))


def picture(rng):
    return make(rng, TILE + 100)


def reference(a, n):
    return np.add.reduceat(a.astype(np.float64), np.arange(0, n, TILE))


PUZZLE = NumbaPuzzle(
    kernel="block_sums",
    args="out a n",
    launch=one_thread_per("a", TILE),
    picture=picture,
    tolerance=Tolerance(1e-5, 2e-5),  # 256 normal numbers, summed in float32
    budget=Budget(
        shared_load_requests_per_block=32,  # the reference makes 25, neighbours first 95, one thread alone 256
        global_loads_per_block=256,  # each element once
        atomics=0,
        needed=True,
        idea="Let the threads at work be the first 128, then the first 64: whole warps are done after the first step.",
    ),
    bench=Bench(
        sizes={"n": 2**26}, make=make, bytes_moved=lambda n: 4 * n,
        limit="copy", fast=0.15,  # the reference reaches 0.19 on an H200, neighbours first 0.11
    ),
)
