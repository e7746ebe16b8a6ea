"""A dot product in one block: the first tree."""

import numpy as np

from gpulab.catalog.spec import Budget, Case, NumbaPuzzle, Tolerance, drawn, empty, fixed, normal

TPB = 128


def make(rng, n):
    return Case(a=normal(rng, n), b=normal(rng, n), out=empty(1), n=n)


def cases(rng):
    for n in (1, 2, 3, 31, 33, 77, TPB - 1, TPB):
        yield make(rng, n)
    yield drawn(make(rng, int(rng.integers(4, TPB - 1))))


def picture(rng):
    return make(rng, 77)


def reference(a, b, n):
    return np.array([a.astype(np.float64) @ b.astype(np.float64)])


PUZZLE = NumbaPuzzle(
    kernel="dot",
    args="out a b n",
    launch=fixed(1, TPB),
    picture=picture,
    tolerance=Tolerance(1e-5, 2e-5),  # 128 products of normal numbers, summed in float32
    budget=Budget(
        shared_load_requests=50,  # the reference makes 17, a tree with the working threads far apart 47, one thread 128
        global_load_requests=8,  # the reference: 4 warps load once from a and once from b
        atomics=0,
        needed=True,
        idea="Let half of the threads add what the other half holds, then a quarter, until one sum is left.",
    ),
    exempt={
        "tile + 1": "one block of 128 threads: longer vectors come with axis-sum",
        "three blocks": "one block: many blocks come with block-sum",
    },
)
