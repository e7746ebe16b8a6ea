"""A two-dimensional guard of which one half is missing."""

import numpy as np

from gpulab.catalog.spec import Answer, Case, NumbaPuzzle, drawn, empty, one_thread_per, shapes

TILE = 16


def make(rng, rows, columns):
    pixels = rng.uniform(0, 255, (rows, columns)).astype(np.float32)
    return Case(a=pixels, out=empty((rows, columns)), rows=rows, columns=columns)


def cases(rng):
    for rows, columns in shapes(TILE):
        yield make(rng, rows, columns)
    yield drawn(make(rng, *(int(rng.integers(4, 7)) * TILE + int(rng.integers(1, TILE)) for _ in range(2))))


def picture(rng):
    return make(rng, TILE + 2, TILE)


def reference(a):
    return np.minimum(2 * a.astype(np.float64), 255)


PUZZLE = NumbaPuzzle(
    kernel="brighten",
    args="out a rows columns",
    launch=one_thread_per("out", (TILE, TILE)),
    picture=picture,
    # the guard that lets too much through, and the two lines that then leave the image
    answer=Answer(lines=(9, 10, 11), kind="out of bounds"),
)
