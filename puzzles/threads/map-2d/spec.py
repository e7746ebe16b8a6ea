"""A two-dimensional block, guarded in both directions."""

from gpulab.catalog.spec import Budget, Case, NumbaPuzzle, drawn, empty, fixed, normal

WIDE, HIGH = 16, 8  # not square: with swapped axes some elements have no thread


def make(rng, rows, columns):
    return Case(a=normal(rng, rows, columns), out=empty((rows, columns)), rows=rows, columns=columns)


def cases(rng):
    for rows, columns in ((1, 1), (1, 3), (2, 1), (3, 5), (7, 15), (HIGH, WIDE), (5, 13)):
        yield make(rng, rows, columns)
    yield drawn(make(rng, int(rng.integers(2, HIGH + 1)), int(rng.integers(2, WIDE + 1))))


def picture(rng):
    return make(rng, 3, 4)


def reference(a, rows, columns):
    return a.astype("float64") ** 2


PUZZLE = NumbaPuzzle(
    kernel="square",
    args="out a rows columns",
    launch=fixed((1, 1), (WIDE, HIGH)),
    picture=picture,
    budget=Budget(
        global_loads_per_output=1,  # the element, once
        idea="You load each element twice to multiply it with itself: load it once, into a variable.",
    ),
    exempt={
        "tile + 1": "one block of 16 x 8 threads: there is no second tile",
        "three blocks": "one block of 16 x 8 threads: blocks come two puzzles later",
    },
)
