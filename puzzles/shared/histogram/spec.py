"""A histogram: atomics, counted in a table per block before they go to global memory."""

import numpy as np

from gpulab.catalog.spec import Bench, Budget, Case, Launch, NumbaPuzzle, drawn, fixed, larger, starting_as

BLOCKS = 8
TPB = 128
BINS = 64


def make(rng, n, spread=BINS, launch=None):
    """Values below `spread`: the fewer, the more threads meet in one cell."""
    values = rng.integers(0, spread, n).astype(np.int32)
    tags = "" if spread == BINS else f"{spread} of 64 values"
    return Case(a=values, out=starting_as(np.zeros(BINS, np.int32)), n=n, launch=launch, tags=tags)


def make_large(rng, n):
    """For the bench: blocks enough for a whole card."""
    return make(rng, n, launch=Launch((1056,), (TPB,)))


def cases(rng):
    for n in (1, 2, 3, TPB - 1, TPB, TPB + 1, BLOCKS * TPB, BLOCKS * TPB + 1, 10_000):
        yield make(rng, n)
    yield make(rng, 3000, spread=2)
    yield drawn(make(rng, larger(rng, 11 * BLOCKS * TPB, 13 * BLOCKS * TPB)))


def picture(rng):
    return make(rng, 2 * BLOCKS * TPB + 5)


def reference(a, n):
    return np.bincount(a, minlength=BINS)


PUZZLE = NumbaPuzzle(
    kernel="histogram",
    args="out a n",
    launch=fixed(BLOCKS, TPB),
    picture=picture,
    budget=Budget(
        global_atomics_per_block=BINS,  # the reference makes one for each bin; counting in global 1250 at n = 10,000
        global_loads_per_output=157,  # 10,000 elements, each loaded once, over 64 bins
        needed=True,
        idea="Count in a shared table first; then one thread per bin adds the block's count to out.",
    ),
    bench=Bench(
        sizes={"n": 2**26}, make=make_large, bytes_moved=lambda n: 4 * n,
        limit="copy", fast=0.45,  # the reference reaches 0.60 on an H200, counting in global memory 0.003
    ),
)
