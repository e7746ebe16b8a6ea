"""The distance to the warp's maximum: a butterfly leaves it in every lane."""

import numpy as np

from gpulab.catalog.spec import Bench, Budget, Case, NumbaPuzzle, Tolerance, drawn, empty, larger, one_thread_per

WARP = 32
TPB = 128


def make(rng, n):
    """Levels in decibels, all negative: a lane past the end that takes part with 0 is found out."""
    return Case(a=rng.uniform(-60, -1, n).astype(np.float32), out=empty(n), n=n)


def cases(rng):
    for n in (1, 2, 3, WARP - 1, WARP, WARP + 1, 63, 64, 65, TPB - 1, TPB, TPB + 1, 2 * TPB + 1, 3 * TPB, 1000):
        yield make(rng, n)
    yield drawn(make(rng, larger(rng, 1000)))


def picture(rng):
    return make(rng, TPB + 40)


def reference(a, n):
    a = a.astype(np.float64)
    peaks = np.maximum.reduceat(a, range(0, n, WARP))
    return a - np.repeat(peaks, WARP)[:n]


PUZZLE = NumbaPuzzle(
    kernel="below_peak",
    args="out a n",
    launch=one_thread_per("out", TPB),
    picture=picture,
    tolerance=Tolerance(1e-5, 1e-5),  # one subtraction of numbers up to 60
    budget=Budget(
        global_load_requests_per_block=4,  # the reference makes one in each of four warps, without shuffles 33
        shared_stores=0,
        barriers=0,
        atomics=0,
        needed=True,
        idea="Load once, then exchange with the lane 16, 8, 4, 2 and 1 away, and keep the larger of the two each time.",
    ),
    bench=Bench(sizes={"n": 2**26}, make=make, bytes_moved=lambda n: 8 * n, limit="copy"),
)
