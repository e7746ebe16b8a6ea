"""A chain of three kernels, fused into one launch without arrays in between."""

import numpy as np

from gpulab.catalog.spec import Bench, Budget, Case, NumbaPuzzle, Tolerance, drawn, empty, larger, normal, sizes

TILE = 64


def make(rng, n):
    gain, offset = np.float32(rng.uniform(0.5, 2)), np.float32(rng.uniform(0.1, 0.5))
    return Case(a=normal(rng, n), gain=gain, offset=offset, out=empty(n), n=n, sizes={"n": n})


def cases(rng):
    for n in (*sizes(TILE), 4099):  # more than the threads of four blocks of 1024
        yield make(rng, n)
    yield drawn(make(rng, larger(rng, 1000, 4000)))


def picture(rng):
    return make(rng, 2 * TILE + 6)


def reference(a, gain, offset, n):
    clipped = np.maximum(float(gain) * a.astype(np.float64) + float(offset), 0)
    padded = np.pad(clipped, 1)
    return padded[:-2] + padded[1:-1] + padded[2:]


PUZZLE = NumbaPuzzle(
    host="process",
    args="out a gain offset n",
    tile=TILE,
    picture=picture,
    tolerance=Tolerance(1e-5, 1e-5),
    budget=Budget(
        launches=1,
        global_accesses_per_output=4.1,  # the reference 4.0: three loads and a store; the chain 8.0 in three launches
        needed=True,
        idea="A thread can scale and clip its neighbours' elements too: nothing needs to be stored in between.",
    ),
    bench=Bench(sizes={"n": 2**26}, make=make, bytes_moved=lambda n: 8 * n, limit="copy"),
)
