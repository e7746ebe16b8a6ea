"""Row sums: a block per row, a loop for each thread, then a tree."""

import numpy as np

from gpulab.catalog.spec import Bench, Budget, Case, Launch, NumbaPuzzle, Tolerance, drawn, empty, larger, normal

TPB = 64


def make(rng, rows, columns):
    return Case(a=normal(rng, rows, columns), out=empty(rows), rows=rows, columns=columns)


def cases(rng):
    for rows, columns in ((1, 1), (1, 3), (2, 1), (3, 2), (5, TPB - 1), (4, TPB), (3, TPB + 1), (TPB + 3, 7),
                          (7, 3 * TPB + 5), (31, 10 * TPB)):
        yield make(rng, rows, columns)
    yield drawn(make(rng, int(rng.integers(2, 9)), larger(rng, 10 * TPB)))
    yield drawn(make(rng, larger(rng, TPB + 3), int(rng.integers(8, TPB))))


def picture(rng):
    return make(rng, 3, TPB + 10)


def a_block_per_row(args):
    return Launch((args["a"].shape[0],), (TPB,))


def reference(a, rows, columns):
    return a.astype(np.float64).sum(axis=1)


PUZZLE = NumbaPuzzle(
    kernel="sum_rows",
    args="out a rows columns",
    launch=a_block_per_row,
    picture=picture,
    tolerance=Tolerance(1e-5, 5e-5),  # up to 640 normal numbers, summed in float32
    budget=Budget(
        # the reference makes 13, with the working threads far apart 23, one thread alone 64
        shared_load_requests_per_block=50,
        global_load_requests_per_block=20,  # 640 columns / 32 columns a request; one thread alone makes 640
        atomics=0,
        needed=True,
        idea="All 64 threads load and add; then half of them add what the other half holds, and so on.",
    ),
    bench=Bench(
        sizes={"rows": 16384, "columns": 4096}, make=make, bytes_moved=lambda rows, columns: 4 * rows * columns,
        limit="copy", fast=0.50,  # the reference reaches 0.64 on an H200, chunks of neighbours for each thread 0.20
    ),
)
