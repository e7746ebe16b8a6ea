"""From an array of structures to a structure of arrays, each sector loaded once."""

from gpulab.catalog.spec import Bench, Budget, Case, NumbaPuzzle, drawn, empty, larger, normal, one_thread_per, sizes

TILE = 64


def make(rng, n):
    return Case(points=normal(rng, 3 * n), x=empty(n), y=empty(n), z=empty(n), n=n)


def cases(rng):
    for n in sorted({*sizes(TILE), 31, 32, 33}):
        yield make(rng, n)
    yield drawn(make(rng, larger(rng, 1000)))


def picture(rng):
    return make(rng, TILE + 6)


def reference(points, n):
    return {"x": points[0::3], "y": points[1::3], "z": points[2::3]}


PUZZLE = NumbaPuzzle(
    kernel="split",
    args="x y z points n",
    launch=one_thread_per("x", TILE),
    picture=picture,
    budget=Budget(
        global_bytes_per_output=8.5,  # the reference 8.0 at n = 1000: 4 in, 4 out; point by point 16.0
        needed=True,
        idea="Load the block's numbers in the order in which they lie, and pick them out in shared memory.",
    ),
    bench=Bench(sizes={"n": 2**24}, make=make, bytes_moved=lambda n: 24 * n, limit="copy"),
)
