"""One kernel for every launch: each thread takes an element, then the next one a whole grid further."""

import numpy as np

from gpulab.catalog.spec import Bench, Budget, Case, Launch, NumbaPuzzle, drawn, fixed, larger, normal, starting_as

THREADS = 64


def make(rng, n, blocks, threads):
    return Case(
        sizes={"n": n, "blocks": blocks, "threads": threads},
        launch=Launch((blocks,), (threads,)),
        y=starting_as(normal(rng, n)), alpha=np.float32(rng.uniform(0.5, 2.0)), x=normal(rng, n), n=n,
    )


def cases(rng):
    yield make(rng, 1, 1, THREADS)
    yield make(rng, 2, 1, 1)
    yield make(rng, 3, 3, THREADS)  # two blocks without work
    yield make(rng, THREADS - 1, 1, THREADS)
    yield make(rng, THREADS, 2, 16)
    yield make(rng, THREADS + 1, 1, THREADS)
    yield make(rng, 100, 1, 1)
    yield make(rng, 2 * THREADS + 1, 3, THREADS)
    yield make(rng, 3 * THREADS, 1, 50)  # a block that is not a whole number of warps
    yield make(rng, 1000, 3, THREADS)
    yield make(rng, 1000, 20, THREADS)  # more threads than elements
    yield make(rng, 5003, 8, 128)
    yield drawn(make(rng, larger(rng, 5003, 6000), int(rng.integers(2, 13)), int(rng.integers(20, 200))))


def picture(rng):
    return make(rng, 300, 2, THREADS)


def bench(rng, n):
    return make(rng, n, 1024, 256)


def reference(y, alpha, x, n):
    return np.float64(alpha) * x + y


PUZZLE = NumbaPuzzle(
    kernel="saxpy",
    args="y alpha x n",
    launch=fixed(3, THREADS),  # each case brings its own
    tile=THREADS,
    picture=picture,
    time_limit=2.0,  # a loop that forgets its step changes y for ever, so only the clock ends it
    budget=Budget(
        global_loads_per_output=2,  # one of x, one of y
        global_load_sectors_per_request=4,  # 32 lanes x 4 bytes / 32 bytes, counted from the reference
        idea="In each step let neighbouring threads take neighbouring elements.",
    ),
    # 0.84 of the copy on an H200; an element per thread 0.53, a run of neighbours per thread 0.04
    bench=Bench(sizes={"n": 2**26}, make=bench, bytes_moved=lambda n: 12 * n, limit="copy", fast=0.70),
)
