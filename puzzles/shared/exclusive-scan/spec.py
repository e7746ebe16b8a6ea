"""A work-efficient exclusive scan: up and down a tree, O(n) additions, as the loads show."""

import numpy as np

from gpulab.catalog.spec import (
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
    return Case(a=normal(rng, n), out=empty(n), n=n)


def cases(rng):
    for n in sizes(TILE):
        yield make(rng, n)
    yield drawn(make(rng, larger(rng, 1000)))


def picture(rng):
    return make(rng, TILE + 100)


def reference(a, n):
    a = a.astype(np.float64)
    return np.concatenate([np.cumsum(a[start : start + TILE]) - a[start : start + TILE] for start in range(0, n, TILE)])


PUZZLE = NumbaPuzzle(
    kernel="scan",
    args="out a n",
    launch=one_thread_per("out", TILE),
    picture=picture,
    tolerance=Tolerance(1e-5, 3e-5),  # up to 255 normal numbers, summed in float32
    budget=Budget(
        # the reference: 2 loads for each of 255 pairs, twice, and one for the result: 5.08 at n = 1000; 6.10 where a
        # pair is swapped and then added, as textbooks do; the scan of the last puzzle needs at least 7 here
        shared_loads_per_output=6.5,
        # the reference makes 56, with the working threads far apart 194, one thread alone 256
        shared_load_requests_per_block=210,
        global_loads_per_output=1,
        needed=True,
        idea="Sum pairs, pairs of pairs and so on up a tree, then hand the sums down again: one pair costs two loads.",
    ),
)
