"""The sum of each warp by shuffles: registers only."""

import numpy as np

from gpulab.catalog.spec import (
    Bench,
    Budget,
    Case,
    NumbaPuzzle,
    Tolerance,
    drawn,
    empty,
    larger,
    normal,
    one_thread_per,
)

WARP = 32
TPB = 128


def make(rng, n):
    return Case(a=normal(rng, n), out=empty(-(-n // WARP)), n=n)


def cases(rng):
    for n in (1, 2, 3, WARP - 1, WARP, WARP + 1, 63, 64, 65, TPB - 1, TPB, TPB + 1, 2 * TPB + 1, 3 * TPB, 1000):
        yield make(rng, n)
    yield drawn(make(rng, larger(rng, 1000)))


def picture(rng):
    return make(rng, TPB + 40)


def reference(a, n):
    return np.add.reduceat(a.astype(np.float64), range(0, n, WARP))


PUZZLE = NumbaPuzzle(
    kernel="warp_sum",
    args="out a n",
    launch=one_thread_per("a", TPB),
    picture=picture,
    tolerance=Tolerance(1e-5, 1e-5),  # 32 normal numbers, summed in float32
    budget=Budget(
        global_load_requests_per_output=1,  # the reference loads once in each warp, one lane alone 32 times
        shared_stores=0,
        barriers=0,
        atomics=0,  # adding to out[i // 32] one after another
        needed=True,
        idea="Each lane loads one element; from there on, the totals travel from lane to lane by shuffles.",
    ),
    bench=Bench(sizes={"n": 2**26}, make=make, bytes_moved=lambda n: 4 * n + n // 8, limit="copy"),
)
