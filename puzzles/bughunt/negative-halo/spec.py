"""A halo that is clamped on the right, and negative on the left."""

import numpy as np

from gpulab.catalog.spec import Answer, Case, NumbaPuzzle, drawn, empty, larger, normal, one_thread_per, sizes

TILE = 64


def make(rng, n):
    return Case(a=normal(rng, n), out=empty(n), n=n)


def cases(rng):
    for n in sizes(TILE):
        yield make(rng, n)
    yield drawn(make(rng, larger(rng, 1000)))


def picture(rng):
    return make(rng, 2 * TILE + 1)


def reference(a):
    wide = np.pad(a.astype(np.float64), 1, mode="edge")
    return (wide[:-2] + wide[1:-1] + wide[2:]) / 3


PUZZLE = NumbaPuzzle(
    kernel="smooth",
    args="out a n",
    launch=one_thread_per("out", TILE),
    picture=picture,
    # where the tile begins, the cells that are filled, and the index that may be -1
    answer=Answer(lines=(13, 14, 15), kind="out of bounds"),
)
