"""A tree by one warp that relies on its lanes keeping step."""

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
    return make(rng, 2 * TPB)


def reference(a, n):
    return np.add.reduceat(a.astype(np.float64), range(0, n, TPB))


PUZZLE = NumbaPuzzle(
    kernel="warp_sums",
    args="out a n",
    launch=one_thread_per("a", TPB),
    picture=picture,
    tolerance=Tolerance(1e-5, 1e-5),  # 64 normal numbers, summed in float32
    # the branch that relies on one warp, its loop, and the line on which lanes meet
    answer=Answer(lines=(14, 15, 16, 17), kind="race"),
)
