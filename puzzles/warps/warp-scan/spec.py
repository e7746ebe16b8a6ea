"""The block's scan once more: shuffles within the warps, shared memory only between them."""

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
)

WARP = 32
TILE = 128


def make(rng, n):
    return Case(a=normal(rng, n), out=empty(n), n=n)


def cases(rng):
    for n in (1, 2, 3, WARP - 1, WARP, WARP + 1, 63, 64, 65, TILE - 1, TILE, TILE + 1, 2 * TILE + 1, 3 * TILE, 1000):
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
        barriers_per_block=2,  # the reference has one; the scan in shared memory 15
        shared_load_requests_per_block=8,  # the reference makes 0 + 1 + 2 + 3, the scan in shared memory 57
        global_loads_per_output=1,
        needed=True,
        idea="Scan each warp by shuffles; only the four sums of the warps go through shared memory.",
    ),
    bench=Bench(sizes={"n": 2**26}, make=make, bytes_moved=lambda n: 8 * n, limit="copy"),
)
