"""The tiled matrix product: shared tiles, and two barriers in each step."""

import numpy as np

from gpulab.catalog.spec import Bench, Budget, Case, NumbaPuzzle, Tolerance, drawn, empty, normal, one_thread_per

TILE = 16
DEPTH = 4 * TILE  # k of the largest case


def make(rng, m, n, k):
    return Case(a=normal(rng, m, k), b=normal(rng, k, n), out=empty((m, n)), m=m, n=n, k=k)


def cases(rng):
    for tiles in ((1, 1, 1), (1, 2, 1), (2, 1, 3), (1, 3, 2), (3, 2, 1), (3, 4, 2), (5, 3, 4)):
        yield make(rng, *(count * TILE for count in tiles))
    yield drawn(make(rng, *(int(rng.integers(low, 7)) * TILE for low in (2, 4, 5))))


def picture(rng):
    return make(rng, 2 * TILE, TILE, 2 * TILE)


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
        global_loads_per_output=2 * DEPTH / TILE,  # counted in the largest case: 8 where the naive kernel makes 128
        needed=True,
        idea="Each of the 256 threads loads one number of a and one of b; then 16 products come from the tiles.",
    ),
    bench=Bench(
        sizes={"m": 4096, "n": 4096, "k": 4096}, make=make,
        bytes_moved=lambda m, n, k: 4 * (m * k + k * n + m * n), flops=lambda m, n, k: 2 * m * n * k,
        limit="float32", fast=0.12,  # the reference reaches 0.15 on an H200, the plain product 0.025
    ),
    exempt=dict.fromkeys(
        ("1", "tile - 1", "tile + 1", "three blocks", "co-prime shapes"),
        "all sizes are multiples of 16 here: every other shape comes in the next puzzle",
    ),
)
