"""Transpose by tiles: loads and stores along rows, and no bank conflict in between."""

from gpulab.catalog.spec import Bench, Budget, Case, Launch, NumbaPuzzle, drawn, empty, larger, normal, shapes

TILE = 64
THREADS = (32, 16)


def make(rng, rows, columns):
    return Case(a=normal(rng, rows, columns), out=empty((columns, rows)), rows=rows, columns=columns)


def cases(rng):
    for shape in (*shapes(TILE), (TILE - 1, TILE - 1), (TILE + 1, TILE + 1), (3, 2)):
        yield make(rng, *shape)
    yield drawn(make(rng, larger(rng, TILE), larger(rng, 2 * TILE)))


def picture(rng):
    return make(rng, TILE + 6, 40)


def launch(args):
    return Launch((-(-args["columns"] // TILE), -(-args["rows"] // TILE)), THREADS)


def reference(a, rows, columns):
    return a.T


PUZZLE = NumbaPuzzle(
    kernel="transpose",
    args="out a rows columns",
    launch=launch,
    tile=(TILE, TILE),
    picture=picture,
    budget=Budget(
        # counted at 193 x 197, whose rows begin anywhere in a sector: the reference 10.0, without a tile 37.0
        global_bytes_per_output=10.5,
        bank_conflicts=0,
        needed=True,
        idea="Load a tile along the rows of a, and store it along the rows of out; turn it in between.",
    ),
    bench=Bench(
        sizes={"rows": 2**14, "columns": 2**14}, make=make, bytes_moved=lambda rows, columns: 8 * rows * columns,
        limit="copy",
    ),
)
