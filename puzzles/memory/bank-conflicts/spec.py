"""Row sums through a shared tile: the rows of the tile lie so that a column of it is in as many banks as lanes."""

import numpy as np

from gpulab.catalog.spec import Bench, Budget, Case, Launch, NumbaPuzzle, drawn, empty, larger, normal, summing

TILE = 64  # threads of a block, and rows of a block
COLUMNS = 99  # of the largest case
SHAPES = (
    (1, 1), (1, 3), (2, 1), (3, 2), (5, 31), (4, 32), (3, 33), (TILE - 1, 7), (TILE, 9), (TILE + 1, 31),
    (7, 65), (3 * TILE + 8, COLUMNS),
)


def make(rng, rows, columns):
    return Case(a=normal(rng, rows, columns), out=empty(rows), rows=rows, columns=columns)


def cases(rng):
    for shape in SHAPES:
        yield make(rng, *shape)
    yield drawn(make(rng, *(larger(rng, length) for length in SHAPES[-1])))


def picture(rng):
    return make(rng, TILE + 6, 40)


def launch(args):
    return Launch((-(-args["rows"] // TILE),), (TILE,))


def reference(a, rows, columns):
    return a.astype(np.float64).sum(axis=1)


PUZZLE = NumbaPuzzle(
    kernel="sum_rows",
    args="out a rows columns",
    launch=launch,
    picture=picture,
    tolerance=summing("columns"),
    budget=Budget(
        bank_conflicts=0,  # the starter has 31 for each load of a whole warp
        global_load_bytes_per_output=6 * COLUMNS,  # the reference 5.1 for each element, a thread per row of a 32
        needed=True,
        idea="Lay the tile out so that the same column of neighbouring rows lies in different banks.",
    ),
    bench=Bench(
        sizes={"rows": 2**18, "columns": 2**8}, make=make, bytes_moved=lambda rows, columns: 4 * rows * (columns + 1),
        limit="copy",
    ),
)
