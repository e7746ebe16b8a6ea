"""Two inputs, one output, still one block."""

from gpulab.catalog.spec import Budget, Case, NumbaPuzzle, drawn, empty, larger, normal, one_block_of


def make(rng, n):
    return Case(a=normal(rng, n), b=normal(rng, n), out=empty(n))


def cases(rng):
    for n in (1, 2, 3, 31, 32, 33, 100, 1000):  # around a warp, and close to the 1024 threads a block may have
        yield make(rng, n)
    yield drawn(make(rng, larger(rng, 1000, 1024)))


def picture(rng):
    return make(rng, 5)


def reference(a, b):
    return a.astype("float64") - b


PUZZLE = NumbaPuzzle(
    kernel="subtract",
    args="out a b",
    launch=one_block_of("out"),
    picture=picture,
    budget=Budget(
        global_loads_per_output=2,  # one of a and one of b
        idea="Each input element is needed once: keep what you loaded in a variable, and read nothing from out.",
    ),
    exempt={
        "tile - 1": "the one block is as long as the array: nothing is cut into tiles yet",
        "tile": "the one block is as long as the array: nothing is cut into tiles yet",
        "tile + 1": "the one block is as long as the array: nothing is cut into tiles yet",
        "three blocks": "one block: blocks come four puzzles later",
    },
)
