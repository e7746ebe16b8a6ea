"""A part of x that is overwritten while slower warps still read it."""

import numpy as np

from gpulab.catalog.spec import Answer, Case, NumbaPuzzle, drawn, empty, normal, one_thread_per, summing

TPB = 64


def make(rng, rows, columns):
    return Case(m=normal(rng, rows, columns), x=normal(rng, columns), out=empty(rows), rows=rows, columns=columns)


def cases(rng):
    for rows, columns in ((1, 1), (2, 3), (3, 64), (63, 65), (64, 130), (65, 64), (129, 67), (200, 193)):
        yield make(rng, rows, columns)
    yield drawn(make(rng, int(rng.integers(66, 200)), int(rng.integers(129, 250))))


def picture(rng):
    return make(rng, TPB + 1, 2 * TPB)


def reference(m, x):
    return m.astype(np.float64) @ x.astype(np.float64)


PUZZLE = NumbaPuzzle(
    kernel="multiply",
    args="out m x rows columns",
    launch=one_thread_per("out", TPB),
    picture=picture,
    tolerance=summing("columns"),
    # the store of the next round, and what it may come before: the loop over the part and its read
    answer=Answer(lines=(13, 16, 17), kind="race"),
)
