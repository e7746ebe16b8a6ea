"""One dimension, many blocks."""

from gpulab.catalog.spec import Bench, Budget, Case, NumbaPuzzle, empty, normal, one_thread_per, sizes

THREADS = 64


def make(rng, n):
    return Case(a=normal(rng, n), out=empty(n), n=n)


def cases(rng):
    for n in sizes(THREADS):
        yield make(rng, n)


def picture(rng):
    return make(rng, 2 * THREADS + 10)


def reference(a, n):
    return a.astype("float64")[::-1]


PUZZLE = NumbaPuzzle(
    kernel="reverse",
    args="out a n",
    launch=one_thread_per("out", THREADS),
    picture=picture,
    budget=Budget(
        global_loads_per_output=1,  # each element of a, once
        needed=True,  # else blocks that repeat each other's work would pass: they write the same values
        idea="Each element of out needs one element of a, loaded by one thread of one block.",
    ),
    bench=Bench(sizes={"n": 2**26}, make=make, bytes_moved=lambda n: 8 * n, limit="copy", fast=0.45),
)
