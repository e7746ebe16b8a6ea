"""Bytes loaded and stored by the word: the same bytes with a quarter of the requests."""

import numpy as np

from gpulab.catalog.spec import Bench, Budget, Case, NumbaPuzzle, drawn, empty, larger, sizes

TILE = 64
LARGEST = 5003


def make(rng, n):
    return Case(a=rng.integers(0, 256, n, dtype=np.uint8), out=empty(n, np.uint8), n=n)


def cases(rng):
    words = {4 * TILE - 1, 4 * TILE, 4 * TILE + 1, 8 * TILE + 5, 4}
    for n in sorted({*sizes(TILE), *words, LARGEST}):
        yield make(rng, n)
    yield drawn(make(rng, larger(rng, 1000, 5000)))


def picture(rng):
    return make(rng, 4 * TILE + 30)


def reference(a, n):
    return 255 - a.astype(np.int64)


PUZZLE = NumbaPuzzle(
    host="negative",
    args="out a n",
    tile=TILE,
    picture=picture,
    budget=Budget(
        # counted at n = 5003: words of 4 bytes 82, of 8 bytes (the reference) 42, byte by byte 314
        global_requests=90,
        needed=True,
        idea="Look at the same memory as words of 4 bytes: one load then brings four pixels.",
    ),
    bench=Bench(sizes={"n": 2**28 + 3}, make=make, bytes_moved=lambda n: 2 * n, limit="copy"),
)
