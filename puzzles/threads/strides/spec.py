"""One line of memory, seen as a matrix through start and strides (in elements)."""

import numpy as np

from gpulab.catalog.spec import Budget, Case, NumbaPuzzle, drawn, empty, larger, normal, one_thread_per, shapes

TILE = 16


def make(rng, rows, columns, view, order="C"):
    """A case whose flat array is as long as the view needs; `view` names one of VIEWS."""
    length, start, strides = VIEWS[view](rows, columns)
    return Case(
        sizes={"rows": rows, "columns": columns}, tags=view if order == "C" else f"{view}, out in Fortran order",
        a=normal(rng, length), start=start, shape=(rows, columns), strides=strides,
        out=empty((rows, columns), order=order),
    )


VIEWS = {  # (length of a, start, (row stride, column stride)) for a view of this many rows and columns
    "C order": lambda r, c: (r * c, 0, (c, 1)),
    "one column repeated": lambda r, c: (r, 0, (1, 0)),
    "upside down": lambda r, c: (r * c, (r - 1) * c, (-c, 1)),
    "Fortran order": lambda r, c: (r * c, 0, (1, r)),
    "rows with a gap": lambda r, c: (r * (c + 3), 2, (c + 3, 1)),
    "every second column": lambda r, c: (r * 2 * c, 1, (2 * c, 2)),
    "one row repeated": lambda r, c: (c + 2, 1, (0, 1)),
    "turned by half": lambda r, c: (r * c, r * c - 1, (-c, -1)),
    "the diagonals": lambda r, c: (r + c - 1, r - 1, (-1, 1)),
}


def cases(rng):
    yield make(rng, 1, 1, "C order")
    views = list(VIEWS)[1:]
    for number, (rows, columns) in enumerate(shapes(TILE)[1:]):
        yield make(rng, rows, columns, views[number])
    yield make(rng, 3, 5, "one row repeated")
    yield make(rng, 37, 50, "C order")
    yield make(rng, 50, 37, "Fortran order", order="F")
    yield drawn(make(rng, larger(rng, 53), larger(rng, 53), str(rng.choice(list(VIEWS)))))


def picture(rng):
    return make(rng, 18, 21, "Fortran order")


def reference(a, start, shape, strides):
    y, x = np.indices(shape)
    return a.astype(np.float64)[start + y * strides[0] + x * strides[1]]


PUZZLE = NumbaPuzzle(
    kernel="copy",
    args="out a start shape strides",
    launch=one_thread_per("out", (TILE, TILE)),
    picture=picture,
    budget=Budget(global_loads_per_output=1, idea="One element of a is all that an output needs."),
)
