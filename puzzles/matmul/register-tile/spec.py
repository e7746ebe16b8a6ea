"""The tiled product with 8 x 8 outputs for each thread, so that numbers of the tiles are used eight times."""

import numpy as np

from gpulab.catalog.spec import Bench, Budget, Case, Launch, NumbaPuzzle, Tolerance, drawn, empty, normal

TILE = 128
DEPTH = 16
LONGEST = 2 * DEPTH  # k of the largest case


def make(rng, m, n, k):
    return Case(a=normal(rng, m, k), b=normal(rng, k, n), out=empty((m, n)), m=m, n=n, k=k)


def cases(rng):
    for down, across, steps in ((1, 1, 1), (1, 2, 1), (2, 1, 3), (2, 3, 2)):
        yield make(rng, down * TILE, across * TILE, steps * DEPTH)
    yield drawn(make(rng, *(int(rng.integers(1, 3)) * TILE for _ in "mn"), int(rng.integers(2, 5)) * DEPTH))


def picture(rng):
    return make(rng, TILE, TILE, DEPTH)


def launch(args):
    return Launch((args["n"] // TILE, args["m"] // TILE), (16, 16))


def reference(a, b, m, n, k):
    return a.astype(np.float64) @ b.astype(np.float64)


def tolerance(args):
    """Float32 sums of k products of standard normals: the error grows with the square root of k."""
    return Tolerance(relative=1e-4, absolute=1e-5 * args["k"] ** 0.5)


PUZZLE = NumbaPuzzle(
    kernel="matmul",
    args="out a b m n k",
    launch=launch,
    tile=(TILE, TILE),
    picture=picture,
    tolerance=tolerance,
    budget=Budget(
        # the reference makes k / 4 (16 loads for 64 products), 4 x 16 outputs a thread k / 3.2, one output a thread 2 k
        shared_loads_per_output=LONGEST / 3,
        global_loads_per_output=2 * LONGEST / TILE,  # each number once for a block
        needed=True,
        idea="In each step of the inner loop load 8 numbers of each tile first, then do all 64 products with them.",
    ),
    bench=Bench(
        sizes={"m": 4096, "n": 4096, "k": 4096}, make=make,
        bytes_moved=lambda m, n, k: 4 * (m * k + k * n + m * n), flops=lambda m, n, k: 2 * m * n * k, limit="float32",
    ),
    exempt=dict.fromkeys(
        ("1", "tile - 1", "tile + 1", "three blocks", "co-prime shapes"),
        "all sizes are multiples of the tiles: ragged ones were the puzzle before, and are no different here",
    ),
)
