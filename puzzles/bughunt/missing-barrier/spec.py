"""A tree whose first step waits for nobody."""

import numpy as np

from gpulab.catalog.spec import Answer, Case, NumbaPuzzle, drawn, empty, larger, normal, one_thread_per, sizes

TPB = 128


def make(rng, n):
    return Case(a=normal(rng, n), out=empty(-(-n // TPB)), n=n)


def cases(rng):
    for n in sizes(TPB):
        yield make(rng, n)
    yield drawn(make(rng, larger(rng, 1000)))


def picture(rng):
    return make(rng, 2 * TPB)


def reference(a, n):
    return np.maximum.reduceat(a.astype(np.float64), range(0, n, TPB))


PUZZLE = NumbaPuzzle(
    kernel="block_max",
    args="out a n",
    launch=one_thread_per("a", TPB),
    picture=picture,
    # the store, the read, and what lies between them: there the barrier is missing
    answer=Answer(lines=(12, 13, 14, 15), kind="race"),
)
