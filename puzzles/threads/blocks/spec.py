"""One dimension, many blocks."""

from gpulab.catalog.spec import (
    Bench,
    Budget,
    Case,
    Launch,
    NumbaPuzzle,
    drawn,
    empty,
    larger,
    normal,
    one_thread_per,
    sizes,
)

THREADS = 64
LARGE = 256  # timed so: blocks of 64 reach a third of the bandwidth, since each has little work for its start


def make(rng, n):
    return Case(a=normal(rng, n), out=empty(n), n=n)


def make_large(rng, n):
    launch = Launch((-(-n // LARGE),), (LARGE,))
    return Case(launch=launch, tags="blocks of 256", a=normal(rng, n), out=empty(n), n=n)


def cases(rng):
    for n in sizes(THREADS):
        yield make(rng, n)
    yield make_large(rng, 700)
    yield drawn(make(rng, larger(rng, 1000)))


def picture(rng):
    return make(rng, 2 * THREADS + 10)


def reference(a, n):
    return a.astype("float64")[::-1]


PUZZLE = NumbaPuzzle(
    kernel="reverse",
    args="out a n",
    launch=one_thread_per("out", THREADS),
    tile=THREADS,
    picture=picture,
    budget=Budget(
        global_loads_per_output=1,  # each element of a, once
        needed=True,  # else blocks that repeat each other's work would pass: they write the same values
        idea="Each element of out needs one element of a, loaded by one thread of one block.",
    ),
    # an element per thread reaches 0.61 of the copy on an H200, and 0.20 in blocks of 64
    bench=Bench(sizes={"n": 2**26}, make=make_large, bytes_moved=lambda n: 8 * n, limit="copy", fast=0.50),
)
