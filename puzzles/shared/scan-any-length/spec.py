"""A scan over many blocks: the learner's host function launches several kernels."""

import numpy as np

from gpulab.catalog.spec import Budget, Case, NumbaPuzzle, Tolerance, drawn, empty, larger, normal, sizes

TILE = 64


def make(rng, n):
    return Case(a=normal(rng, n), out=empty(n), n=n)


def cases(rng):
    # in blocks of 64, more than 4096 elements have more totals than a block has threads
    for n in (*sizes(TILE), TILE * TILE + 1, 6000):
        yield make(rng, n)
    yield drawn(make(rng, larger(rng, 6000, 7000)))


def picture(rng):
    return make(rng, 3 * TILE + 10)


def reference(a, n):
    return np.cumsum(a.astype(np.float64))


PUZZLE = NumbaPuzzle(
    host="scan",
    tile=TILE,
    args="out a n",
    picture=picture,
    tolerance=Tolerance(1e-5, 1e-3),  # up to 6000 normal numbers, summed in float32
    budget=Budget(
        # the reference, at n = 6000: one load in the first kernel, two in the last, and the totals: 3.01
        global_loads_per_output=3.2,
        launches=8,  # the reference launches 5 at n = 6000; doubling steps over the whole vector take 13
        # the reference counts 6.5: 13 in a block that scans, none in one that adds; one block that goes along the
        # vector by itself waits 1316 times
        barriers_per_block=64,
        needed=True,
        idea="Scan all blocks at once, then their totals, then add: a launch for each, not one for each step.",
    ),
)
