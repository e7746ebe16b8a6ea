"""The first kernel: one block, a thread per element."""

from gpulab.catalog.spec import Budget, Case, NumbaPuzzle, drawn, empty, larger, normal, one_block_of


def make(rng, n):
    return Case(a=normal(rng, n), out=empty(n))


def cases(rng):
    for n in (1, 2, 3, 31, 32, 33, 100, 1000):  # around a warp, and close to the 1024 threads a block may have
        yield make(rng, n)
    yield drawn(make(rng, larger(rng, 1000, 1024)))


def picture(rng):
    return make(rng, 5)


def reference(a):
    return -a.astype("float64")


PUZZLE = NumbaPuzzle(
    kernel="negate",
    args="out a",
    launch=one_block_of("out"),
    picture=picture,
    budget=Budget(
        global_loads_per_output=1,  # a[i], once
        needed=True,  # else a loop over all elements in every thread would pass: each writes the same values
        idea="Let each thread do one element and no more: the threads are the loop.",
    ),
    exempt={
        "tile - 1": "the one block is as long as the array: nothing is cut into tiles yet",
        "tile": "the one block is as long as the array: nothing is cut into tiles yet",
        "tile + 1": "the one block is as long as the array: nothing is cut into tiles yet",
        "three blocks": "one block: blocks come five puzzles later",
    },
)
