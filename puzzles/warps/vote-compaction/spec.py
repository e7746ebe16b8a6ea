"""Rows packed by votes: a warp per row, places from ballot and popc."""

import numpy as np

from gpulab.catalog.spec import Bench, Budget, Case, Launch, NumbaPuzzle, drawn, empty, normal, starting_as

WARP = 32
TPB = 128
ROWS, COLUMNS = 13, 300
"""The largest case that stays."""


def make(rng, rows, n, sign=0):
    """Rows of which more or less is kept; all of it with `sign` 1, nothing with -1."""
    a = normal(rng, rows, n) + rng.uniform(-1, 1, (rows, 1)).astype(np.float32)
    a = np.where(a == 0, np.float32(1), a)
    tags = {0: "", 1: "all kept", -1: "none kept"}[sign]
    return Case(
        a=sign * abs(a) if sign else a, out=starting_as(np.zeros((rows, n), np.float32)),
        length=empty(rows, np.int32), rows=rows, n=n, tags=tags,
    )


def cases(rng):
    for rows, n in ((1, 1), (2, 1), (1, 3), (3, 31), (4, 32), (5, 33), (7, 63), (8, 64), (9, 65), (3, 129)):
        yield make(rng, rows, n)
    yield make(rng, 3, 70, sign=1)
    yield make(rng, 3, 70, sign=-1)
    yield make(rng, ROWS, COLUMNS)
    yield drawn(make(rng, int(rng.integers(5, 20)), int(rng.integers(130, 290))))


def picture(rng):
    return make(rng, 5, 40)


def reference(a, rows, n):
    out = np.zeros((rows, n))
    length = np.zeros(rows, np.int64)
    for row, values in enumerate(a):
        kept = values[values > 0]
        length[row] = len(kept)
        out[row, : len(kept)] = kept
    return {"out": out, "length": length}


def a_warp_per_row(args):
    return Launch((-(-args["rows"] * WARP // TPB),), (TPB,))


PUZZLE = NumbaPuzzle(
    kernel="pack",
    args="out length a rows n",
    launch=a_warp_per_row,
    picture=picture,
    tile=WARP,
    budget=Budget(
        atomics=0,
        shared_stores=0,
        global_load_requests=ROWS * -(-COLUMNS // WARP),  # the reference: a warp loads 32 columns at a time
        needed=True,
        idea="One vote of the whole warp tells each lane how many elements before its own are kept.",
    ),
    bench=Bench(
        sizes={"rows": 2**14, "n": 2**12}, make=make, bytes_moved=lambda rows, n: 6 * rows * n, limit="copy",
    ),  # a is loaded, and about half of it stored
)
