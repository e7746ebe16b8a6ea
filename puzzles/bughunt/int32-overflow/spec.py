"""Squares of 16-bit samples, summed in a cell of 32 bits."""

import numpy as np

from gpulab.catalog.spec import Answer, Case, NumbaPuzzle, drawn, empty, larger, one_thread_per, sizes

TPB = 128
LOUDEST = 2**15


def make(rng, n, loudest=LOUDEST):
    """Samples of at most this loudness; half of them nearly as loud."""
    samples = rng.integers(-loudest, loudest, n)
    loud = rng.random(n) < 0.5
    samples[loud] = np.where(samples[loud] < 0, -1, 1) * (loudest - rng.integers(1, 1 + loudest // 50, loud.sum()))
    return Case(a=samples.astype(np.int32), out=empty(-(-n // TPB), np.int64), n=n,
                tags="quiet" if loudest < LOUDEST else "")


def cases(rng):
    for n in sizes(TPB):
        yield make(rng, n)
    yield make(rng, 1000, loudest=2000)
    yield drawn(make(rng, larger(rng, 1000)))


def picture(rng):
    return make(rng, 2 * TPB)


def reference(a, n):
    return np.add.reduceat(a.astype(np.int64) ** 2, range(0, n, TPB))


PUZZLE = NumbaPuzzle(
    kernel="energy",
    args="out a n",
    launch=one_thread_per("a", TPB),
    picture=picture,
    # the cell that is too narrow, and the addition that overflows in it
    answer=Answer(lines=(8, 14), kind="wrong answer"),
)
