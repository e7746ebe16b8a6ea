"""A loop with barriers that threads leave one after another."""

import numpy as np

from gpulab.catalog.spec import Answer, Case, NumbaPuzzle, drawn, empty, larger, normal, one_thread_per, sizes, summing

TPB = 64


def make(rng, n):
    return Case(a=normal(rng, n), out=empty(n), n=n)


def cases(rng):
    for n in sizes(TPB):
        yield make(rng, n)
    yield drawn(make(rng, larger(rng, 1000)))


def picture(rng):
    return make(rng, 2 * TPB)


def reference(a, n):
    wide = np.pad(a.astype(np.float64), (0, -n % TPB)).reshape(-1, TPB)
    return wide.cumsum(axis=1).reshape(-1)[:n]


PUZZLE = NumbaPuzzle(
    kernel="block_scan",
    args="out a n",
    launch=one_thread_per("out", TPB),
    picture=picture,
    tolerance=summing("n"),
    # the condition that sends threads away, and the two barriers that miss them
    answer=Answer(lines=(14, 16, 18), kind="barrier divergence"),
)
