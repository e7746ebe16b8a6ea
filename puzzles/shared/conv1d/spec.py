"""One-dimensional convolution: a halo on the right, and weights that all threads share."""

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

TILE = 64
MOST_K = 5


def make(rng, n, k):
    return Case(a=normal(rng, n), w=normal(rng, k), out=empty(n), n=n, k=k)


def cases(rng):
    for n in sizes(TILE):
        yield make(rng, n, MOST_K)
    for n, k in ((1, 1), (TILE, 1), (TILE + 1, 2), (2 * TILE - 1, 3), (3 * TILE + 2, 4)):
        yield make(rng, n, k)
    yield drawn(make(rng, larger(rng, 1000), int(rng.integers(1, MOST_K + 1))))


def picture(rng):
    return make(rng, 2 * TILE + 1, 3)


def reference(a, w, n, k):
    padded = np.pad(a.astype(np.float64), (0, k - 1))
    return sum(padded[j : j + n] * float(w[j]) for j in range(k))


PUZZLE = NumbaPuzzle(
    kernel="conv",
    args="out a w n k",
    launch=one_thread_per("out", TILE),
    picture=picture,
    tolerance=Tolerance(1e-5, 5e-6),
    budget=Budget(
        global_loads_per_output=1.25,  # the reference counts 1.140 at n = 1000, k = 5: 64 + 4 + 5 for 64 outputs
        uses_shared=True,
        needed=True,
        idea="Load each element and each weight into shared memory once for the block, then read them from there.",
    ),
    bench=Bench(
        sizes={"n": 2**26, "k": MOST_K}, make=make, bytes_moved=lambda n, k: 4 * (2 * n + k),
        limit="copy", fast=0.13,  # the reference reaches 0.17 on an H200, which has a million small blocks to start
    ),
)
