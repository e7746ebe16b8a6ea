"""Each element less its mirror image in the block: the first values that threads hand each other."""

import numpy as np

from gpulab.catalog.spec import Budget, Case, NumbaPuzzle, drawn, empty, larger, normal, one_thread_per, sizes

TILE = 64


def make(rng, n):
    return Case(a=normal(rng, n), out=empty(n), n=n)


def cases(rng):
    for n in sizes(TILE):
        yield make(rng, n)
    yield drawn(make(rng, larger(rng, 1000)))


def picture(rng):
    return make(rng, TILE + 10)


def reference(a, n):
    a = a.astype(np.float64)
    stretches = [a[start : start + TILE] for start in range(0, n, TILE)]
    return np.concatenate([stretch - stretch[::-1] for stretch in stretches])


PUZZLE = NumbaPuzzle(
    kernel="mirror",
    args="out a n",
    launch=one_thread_per("out", TILE),
    picture=picture,
    budget=Budget(
        global_loads_per_output=1,  # counted from the reference: a[i] and nothing else
        needed=True,
        idea="The mirror image was already loaded, by another thread of the block: take it from the tile.",
    ),
)
