"""More threads than elements: the guard."""

from gpulab.catalog.spec import Budget, Case, NumbaPuzzle, drawn, empty, fixed, normal

BLOCK = 32


def make(rng, n):
    return Case(a=normal(rng, n), out=empty(n), n=n)


def cases(rng):
    for n in (1, 2, 3, 5, BLOCK - 1, BLOCK):
        yield make(rng, n)
    yield drawn(make(rng, int(rng.integers(6, BLOCK - 1))))


def picture(rng):
    return make(rng, 5)


def reference(a, n):
    return a.astype("float64") + 10


PUZZLE = NumbaPuzzle(
    kernel="add_ten",
    args="out a n",
    launch=fixed(1, BLOCK),
    picture=picture,
    budget=Budget(
        global_loads_per_output=1,  # a[i], once
        needed=True,  # else a loop over all elements in every thread would pass: each writes the same values
        idea="Let each thread do one element and no more: the threads are the loop.",
    ),
    exempt={
        "tile + 1": "one block of 32 threads: there is no second tile",
        "three blocks": "one block of 32 threads: blocks come three puzzles later",
    },
)
