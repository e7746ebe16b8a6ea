"""A tile that the last block fills in part and sums as a whole."""

import numpy as np

from gpulab.catalog.spec import (
    Answer,
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

TPB = 64


def make(rng, n):
    return Case(a=normal(rng, n), out=empty(-(-n // TPB)), n=n)


def cases(rng):
    for n in sizes(TPB):
        yield make(rng, n)
    yield drawn(make(rng, larger(rng, 1000)))


def picture(rng):
    return make(rng, TPB + 40)


def reference(a, n):
    return np.add.reduceat(a.astype(np.float64), range(0, n, TPB))


PUZZLE = NumbaPuzzle(
    kernel="sums",
    args="out a n",
    launch=one_thread_per("a", TPB),
    picture=picture,
    tolerance=Tolerance(1e-5, 1e-5),  # 64 normal numbers, summed in float32
    # the guard without an else, the store it guards, and the read of the cells it left out
    answer=Answer(lines=(12, 13, 17), kind="uninitialised read"),
)
