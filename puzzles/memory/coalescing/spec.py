"""Rows times factors: the loops of a thread per row, turned so that warps walk along the rows."""

import numpy as np

from gpulab.catalog.spec import Bench, Budget, Case, Launch, NumbaPuzzle, drawn, empty, larger, normal

TILE = 64  # threads of a block, and rows of a block
SHAPES = (
    (1, 1), (1, 3), (2, 1), (3, 2), (5, TILE - 1), (4, TILE), (3, TILE + 1), (TILE - 1, 7), (TILE, 9), (TILE + 1, 31),
    (7, 3 * TILE + 5), (3 * TILE + 9, 2 * TILE + 3),
)


def make(rng, rows, columns):
    return Case(a=normal(rng, rows, columns), factors=normal(rng, rows), out=empty((rows, columns)), rows=rows,
                columns=columns)


def cases(rng):
    for shape in SHAPES:
        yield make(rng, *shape)
    yield drawn(make(rng, *(larger(rng, length) for length in SHAPES[-1])))


def picture(rng):
    return make(rng, TILE + 6, 70)


def launch(args):
    return Launch((-(-args["rows"] // TILE),), (TILE,))


def reference(a, factors, rows, columns):
    return a.astype(np.float64) * factors.astype(np.float64)[:, None]


PUZZLE = NumbaPuzzle(
    kernel="scale_rows",
    args="out a factors rows columns",
    launch=launch,
    picture=picture,
    budget=Budget(
        # counted in the largest case, 201 x 131, whose rows begin anywhere in a sector: the reference 10.6, the right
        # solutions 9.0 to 10.4, down the columns 64.0
        global_bytes_per_output=12,
        needed=True,
        idea="Let all threads of the block work on one row at a time, side by side.",
    ),
    bench=Bench(
        sizes={"rows": 2**18, "columns": 2**8}, make=make,
        bytes_moved=lambda rows, columns: 8 * rows * columns + 4 * rows, limit="copy",
    ),
)
