"""Each output sums an element and its two left neighbours."""

import numpy as np

from gpulab.catalog.spec import Bench, Budget, Case, NumbaPuzzle, drawn, empty, larger, normal, one_thread_per, sizes

TILE = 64


def make(rng, n):
    return Case(a=normal(rng, n), out=empty(n), n=n)


def cases(rng):
    for n in sizes(TILE):
        yield make(rng, n)
    yield drawn(make(rng, larger(rng, 1000)))


def picture(rng):
    return make(rng, 2 * TILE + 1)


def reference(a, n):
    return sum(np.pad(a.astype(np.float64), (k, 0))[:n] for k in range(3))


PUZZLE = NumbaPuzzle(
    kernel="pool",
    args="out a n",
    launch=one_thread_per("out", TILE),
    picture=picture,
    budget=Budget(
        global_loads_per_output=1.04,  # (TILE + 2) / TILE = 1.031 counted from the reference
        uses_shared=True,
        needed=True,
        idea="Let each thread load one element into the tile; only the halo costs two loads more.",
    ),
    bench=Bench(
        sizes={"n": 2**26}, make=make, bytes_moved=lambda n: 8 * n,
        limit="copy", fast=0.15,  # the reference reaches 0.20 on an H200, which has a million small blocks to start
    ),
)
