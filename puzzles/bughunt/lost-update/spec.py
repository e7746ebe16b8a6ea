"""A sum that is atomic beside a maximum that is not."""

import numpy as np

from gpulab.catalog.spec import Answer, Case, NumbaPuzzle, drawn, fixed, larger, starting_as

BLOCKS = 4
TPB = 64
LEAST = np.iinfo(np.int32).min


def make(rng, n):
    return Case(
        count=starting_as(np.zeros(1, np.int32)), largest=starting_as(np.full(1, LEAST, np.int32)),
        a=rng.integers(-1000, 1000, n).astype(np.int32), limit=int(rng.integers(-500, 500)), n=n, sizes={"n": n},
    )


def cases(rng):
    for n in (1, 2, 3, TPB - 1, TPB, TPB + 1, 2 * TPB + 1, BLOCKS * TPB, BLOCKS * TPB + 1, 1000):
        yield make(rng, n)
    yield drawn(make(rng, larger(rng, 1000)))


def picture(rng):
    return make(rng, BLOCKS * TPB + 9)


def reference(a, limit):
    return np.array([np.count_nonzero(a > limit)]), np.array([a.max()])


PUZZLE = NumbaPuzzle(
    kernel="summary",
    args="count largest a limit n",
    launch=fixed(BLOCKS, TPB),
    picture=picture,
    answer=Answer(lines=(14,), kind="race"),
)
