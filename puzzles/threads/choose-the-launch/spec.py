"""The learner writes the launch: enough blocks, none for nothing."""

from gpulab.catalog.spec import Budget, Case, NumbaPuzzle, drawn, empty, larger, normal


def make(rng, n):
    return Case(a=normal(rng, n), out=empty(n), n=n, launches=0 if n == 0 else None)


def cases(rng):
    # Whatever block size is chosen (32 to 1024), a multiple of it and a neighbour of one are among these.
    for n in (0, 1, 2, 3, 32, 33, 127, 128, 129, 255, 256, 257, 1000, 1024, 1025, 3073):
        yield make(rng, n)
    yield drawn(make(rng, larger(rng, 3073, 4000)))


def picture(rng):
    return make(rng, 600)


def reference(a, n):
    return a.astype("float64") ** 2


PUZZLE = NumbaPuzzle(
    host="square_all",
    args="out a n",
    picture=picture,
    tile=256,  # what the starter suggests
    budget=Budget(launches=1, idea="One launch covers all elements, if it has enough blocks."),
)
