"""The mask: a last block that is not full."""

from gpulab.catalog.spec import Budget, Case, TritonPuzzle, drawn, empty, larger, normal, one_program_per, sizes

TILE = 64


def make(rng, n, block=TILE):
    a = float(rng.uniform(0.5, 2.0))
    return Case(x=normal(rng, n), y=normal(rng, n), a=a, out=empty(n), n=n, BLOCK=block,
                sizes={"n": n, "BLOCK": block})


def cases(rng):
    for n in sizes(TILE):
        yield make(rng, n)
    yield make(rng, 100, 32)  # BLOCK is an argument: 64 may not be built in
    yield make(rng, 600, 256)  # nor steps that are shorter than BLOCK
    yield drawn(make(rng, larger(rng, 1000)))


def picture(rng):
    return make(rng, 40, 16)


def reference(x, y, a):
    return a * x.astype("float64") + y


PUZZLE = TritonPuzzle(
    kernel="axpy",
    args="out x y a n BLOCK",
    launch=one_program_per("out", "BLOCK"),
    tile=TILE,
    picture=picture,
    budget=Budget(
        global_loads_per_output=2,  # x[i] and y[i], once
        needed=True,  # else the last program could do the work of others over again to have a full block
        idea="Let a mask leave out the lanes that have no element; every other lane loads its own.",
    ),
)
