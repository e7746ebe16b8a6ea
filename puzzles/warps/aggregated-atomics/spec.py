"""A histogram by atomics that are combined within each warp first."""

import numpy as np

from gpulab.catalog.spec import Bench, Budget, Case, NumbaPuzzle, drawn, larger, one_thread_per, starting_as

WARP = 32
TPB = 128
BINS = 64
ALIKE = 4
"""Different values in 32 neighbours."""


def make(rng, n, alike=ALIKE):
    """Each 32 neighbours share `alike` values."""
    warps = -(-n // WARP)
    pools = np.argsort(rng.random((warps, BINS)), axis=1)[:, :alike]
    values = np.take_along_axis(pools, rng.integers(0, alike, (warps, WARP)), axis=1)
    tags = "" if alike == ALIKE else f"{alike} of 64 values" if alike > 1 else "32 of one value"
    a = values.reshape(-1)[:n].astype(np.int32)
    return Case(a=a, out=starting_as(np.zeros(BINS, np.int32)), n=n, tags=tags)


def cases(rng):
    for n in (1, 2, 3, WARP - 1, WARP, WARP + 1, 63, 64, 65, TPB - 1, TPB, TPB + 1, 2 * TPB + 1, 3 * TPB, 1000):
        yield make(rng, n)
    yield make(rng, 300, alike=1)
    yield make(rng, 500, alike=BINS)
    yield drawn(make(rng, larger(rng, 1000)))


def picture(rng):
    return make(rng, TPB + 40)


def reference(a, n):
    return np.bincount(a, minlength=BINS)


PUZZLE = NumbaPuzzle(
    kernel="count",
    args="out a n",
    launch=one_thread_per("a", TPB),
    picture=picture,
    budget=Budget(
        atomics_per_block=TPB // WARP * ALIKE,  # at most four values in each of four warps; one by one it takes 125
        global_loads_per_output=15.625,  # 1000 elements, each loaded once, over 64 bins
        needed=True,
        idea="Let the lanes that hold the same value find each other, and one of them add for all.",
    ),
    bench=Bench(sizes={"n": 2**26}, make=make, bytes_moved=lambda n: 4 * n, limit="copy"),
)
