"""The tiled matrix product for any shape: zeros outside, barriers for all."""

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
    shapes,
)

TILE = 16
DEPTHS = (1, 2, 3, 15, 17, 16, 33, 7, 42)  # k for each shape, none of them m or n of the larger ones


def make(rng, m, n, k):
    return Case(a=normal(rng, m, k), b=normal(rng, k, n), out=empty((m, n)), m=m, n=n, k=k)


def cases(rng):
    for (m, n), k in zip(shapes(TILE), DEPTHS, strict=True):
        yield make(rng, m, n, k)
    yield drawn(make(rng, larger(rng, m), larger(rng, n), larger(rng, DEPTHS[-1])))


def picture(rng):
    return make(rng, 19, 21, 18)


def reference(a, b, m, n, k):
    return a.astype(np.float64) @ b.astype(np.float64)


def tolerance(args):
    """Float32 sums of k products of standard normals: the error grows with the square root of k."""
    return Tolerance(relative=1e-4, absolute=1e-5 * args["k"] ** 0.5)


PUZZLE = NumbaPuzzle(
    kernel="matmul",
    args="out a b m n k",
    launch=one_thread_per("out", (TILE, TILE)),
    picture=picture,
    tolerance=tolerance,
    budget=Budget(
        # the reference counts 6.6 in the largest case (49 x 53, k = 42: four tiles each way); the naive kernel makes 84
        global_loads_per_output=DEPTHS[-1] / 6,
        needed=True,
        idea="Keep the tiles: in each step a thread loads at most one number of a and one of b; zeros are not loaded.",
    ),
    bench=Bench(
        sizes={"m": 4095, "n": 4097, "k": 4093}, make=make,
        bytes_moved=lambda m, n, k: 4 * (m * k + k * n + m * n), flops=lambda m, n, k: 2 * m * n * k,
        limit="float32", fast=0.10,  # the reference reaches 0.15 on an H200, the plain product 0.025
    ),
)
