"""Spec texts for tests: a stencil through a shared tile, a matrix, a count, a host function."""

STENCIL = """
import numpy as np
from gpulab.catalog.spec import *

def cases(rng):
    for n in sizes(64):
        yield Case(a=normal(rng, n), out=empty(n), n=n)

def reference(a, n):
    return sum(np.pad(a.astype(np.float64), (k, 0))[:n] for k in range(3))

PUZZLE = NumbaPuzzle(kernel="f", args="out a n", launch=one_thread_per("out", 64),
                     budget=Budget(global_loads_per_output=1.04, uses_shared=True, needed=True, idea="Use the tile."))
"""

MATRIX = """
import numpy as np
from gpulab.catalog.spec import *

def cases(rng):
    for rows, columns in shapes(8):
        yield Case(a=normal(rng, rows, columns), out=empty((rows, columns)), rows=rows, columns=columns)

def reference(a):
    return a * 2.0

PUZZLE = NumbaPuzzle(kernel="f", args="out a rows columns", launch=one_thread_per("out", (8, 8)),
                     budget=Budget(global_loads_per_output=1, idea="Load once."))
"""

COUNT = """
import numpy as np
from gpulab.catalog.spec import *

def cases(rng):
    for n in sizes(64):
        yield Case(a=rng.integers(0, 4, n, dtype=np.int32), out=starting_as(np.zeros(4, np.int32)), n=n)

def reference(a):
    return np.bincount(a, minlength=4)

PUZZLE = NumbaPuzzle(kernel="f", args="out a n", launch=one_thread_per("a", 64))
"""

WHOLE = """
import numpy as np
from gpulab.catalog.spec import *

def cases(rng):
    for n in sizes(64):
        yield Case(a=rng.integers(-99, 99, n, dtype=np.int32), out=empty(n, np.int32), n=n)

def reference(a):
    return a + 10

PUZZLE = NumbaPuzzle(kernel="f", args="out a n", launch=one_thread_per("out", 64), forbidden=("atomic", "grid"))
"""

HOST = """
import numpy as np
from gpulab.catalog.spec import *

def cases(rng):
    yield Case(a=normal(rng, 0), out=empty(0), n=0, launches=0)
    for n in sizes(64):
        yield Case(a=normal(rng, n), out=empty(n), n=n)

def reference(a):
    return a + 1.0

PUZZLE = NumbaPuzzle(host="go", args="out a n", tile=64, budget=Budget(launches=1, idea="Once is enough."))
"""
