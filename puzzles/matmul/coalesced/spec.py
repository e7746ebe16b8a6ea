"""The same product and as many loads; which thread makes which element decides how many sectors move."""

import numpy as np

from gpulab.catalog.spec import Bench, Budget, Case, Launch, NumbaPuzzle, Tolerance, drawn, empty, larger, normal

THREADS = 256
SHAPES = (  # (m, n, k); m * n is the number of threads at work
    (1, 1, 1), (1, 3, 2), (2, 1, 3), (15, 17, 13), (16, 16, 7), (1, 257, 5), (257, 1, 9), (36, 21, 32), (61, 131, 40),
)


def make(rng, m, n, k):
    return Case(a=normal(rng, m, k), b=normal(rng, k, n), out=empty((m, n)), m=m, n=n, k=k)


def cases(rng):
    for shape in SHAPES:
        yield make(rng, *shape)
    yield drawn(make(rng, *(larger(rng, length) for length in SHAPES[-1])))


def picture(rng):
    return make(rng, 12, 40, 3)


def launch(args):
    return Launch((-(-args["m"] * args["n"] // THREADS),), (THREADS,))


def reference(a, b, m, n, k):
    return a.astype(np.float64) @ b.astype(np.float64)


def tolerance(args):
    """Float32 sums of k products of standard normals: the error grows with the square root of k."""
    return Tolerance(relative=1e-4, absolute=1e-5 * args["k"] ** 0.5)


PUZZLE = NumbaPuzzle(
    kernel="matmul",
    args="out a b m n k",
    launch=launch,
    picture=picture,
    tolerance=tolerance,
    budget=Budget(
        global_load_sectors_per_request=3.5,  # 3.16 counted from the reference at 61 x 131; dealt by columns 16.5
        needed=True,
        idea="Let the threads of a warp walk along a row of out: then they read b side by side.",
    ),
    bench=Bench(
        sizes={"m": 2048, "n": 2048, "k": 2048}, make=make,
        bytes_moved=lambda m, n, k: 4 * (m * k + k * n + m * n), flops=lambda m, n, k: 2 * m * n * k,
        limit="float32", fast=0.02,  # an H200: 0.026 of what cuBLAS reaches, dealt by columns 0.007
    ),
    exempt={
        "tile - 1": "threads are numbered through all of out: 15 x 17 elements are one less than a block",
        "tile": "threads are numbered through all of out: 16 x 16 elements are one block",
        "three blocks": "threads are numbered through all of out: 61 x 131 elements are 31 blocks and a remainder",
    },
)
