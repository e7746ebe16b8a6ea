"""Ranks within a warp: all against all, by broadcasts."""

import numpy as np

from gpulab.catalog.spec import Bench, Budget, Case, NumbaPuzzle, drawn, empty, larger, normal, one_thread_per

WARP = 32
TPB = 128


def make(rng, n):
    return Case(a=normal(rng, n), out=empty(n, np.int32), n=n)


def cases(rng):
    for n in (1, 2, 3, WARP - 1, WARP, WARP + 1, 63, 64, 65, TPB - 1, TPB, TPB + 1, 2 * TPB + 1, 3 * TPB, 1000):
        yield make(rng, n)
    yield drawn(make(rng, larger(rng, 1000)))


def picture(rng):
    return make(rng, TPB + 40)


def reference(a, n):
    warps = (a[start : start + WARP] for start in range(0, n, WARP))
    return np.concatenate([(warp[None, :] < warp[:, None]).sum(axis=1) for warp in warps])


PUZZLE = NumbaPuzzle(
    kernel="rank",
    args="out a n",
    launch=one_thread_per("out", TPB),
    picture=picture,
    budget=Budget(
        global_load_requests_per_block=4,  # the reference makes one in each of four warps, without shuffles 33
        shared_stores=0,
        needed=True,
        idea="Load each element once, then let lane after lane show its own to the whole warp.",
    ),
    bench=Bench(sizes={"n": 2**26}, make=make, bytes_moved=lambda n: 8 * n, limit="copy"),
)
