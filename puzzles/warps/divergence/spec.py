"""Two polynomials by turns: the same work with and without divergent warps."""

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
    one_thread_per,
    sizes,
)

TILE = 64
TERMS = 8


def make(rng, n):
    sound = rng.uniform(-1, 1, n).astype(np.float32)
    left, right = (rng.uniform(-1, 1, TERMS).astype(np.float32) for _ in range(2))
    return Case(a=sound, left=left, right=right, out=empty(n), n=n)


def cases(rng):
    for n in sorted({*sizes(TILE), 31, 32, 33, 1001}):
        yield make(rng, n)
    yield drawn(make(rng, larger(rng, 1001)))


def picture(rng):
    return make(rng, 2 * TILE)


def reference(a, left, right, n):
    even = np.arange(n) % 2 == 0
    return np.where(even, np.polyval(left.astype(float), a.astype(float)), np.polyval(right.astype(float), a))


PUZZLE = NumbaPuzzle(
    kernel="shape",
    args="out a left right n",
    launch=one_thread_per("out", TILE),
    picture=picture,
    tolerance=Tolerance(1e-5, 1e-5),  # eight terms, none above 1
    budget=Budget(
        global_load_requests_per_block=20,  # the reference makes 1 + 8 in each of two warps, the starter 1 + 16
        needed=True,
        idea="Give all left elements of a block to one of its warps, and all right ones to the other.",
    ),
    bench=Bench(
        sizes={"n": 2**26}, make=make, bytes_moved=lambda n: 8 * n, flops=lambda n: 2 * TERMS * n, limit="copy",
    ),
)
