"""An inclusive scan in each block: log2 steps, and two barriers in each."""

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

TILE = 128


def make(rng, n):
    return Case(a=normal(rng, n), out=empty(n), n=n)


def cases(rng):
    for n in sizes(TILE):
        yield make(rng, n)
    yield drawn(make(rng, larger(rng, 1000)))


def picture(rng):
    return make(rng, TILE + 50)


def reference(a, n):
    a = a.astype(np.float64)
    return np.concatenate([np.cumsum(a[start : start + TILE]) for start in range(0, n, TILE)])


PUZZLE = NumbaPuzzle(
    kernel="scan",
    args="out a n",
    launch=one_thread_per("out", TILE),
    picture=picture,
    tolerance=Tolerance(1e-5, 2e-5),  # up to 128 normal numbers, summed in float32
    budget=Budget(
        shared_load_requests_per_block=80,  # the reference makes 57, one thread alone 132, each its own sum 320
        global_loads_per_output=1,
        needed=True,
        idea="Seven steps, in each of which every thread adds one cell further to the left: 1, 2, 4 ... 64 away.",
    ),
    bench=Bench(
        sizes={"n": 2**26}, make=make, bytes_moved=lambda n: 8 * n,
        limit="copy", fast=0.25,  # the reference reaches 0.33 on an H200, one thread alone 0.07
    ),
)
