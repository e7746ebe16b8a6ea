"""An occupancy calculator for compute capability 9.0, a thread for each launch.

Limits: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability" (blocks, warps, registers and
shared memory of a multiprocessor; 1 KB of shared memory that the system keeps for each block). Granularities and the
four register files: cuda_occupancy.h of CUDA 13, which tests/ground/test_occupancy.py holds this reference against.
"""

import numpy as np

from gpulab.catalog.spec import Budget, Case, NumbaPuzzle, drawn, empty, larger, one_thread_per, sizes

TILE = 64
MOST_SHARED = 232448  # 227 KB for a block
CORNERS = (  # threads, registers, shared: each rule as the one that decides, alone or beside another
    (256, 40, 0), (96, 40, 0), (32, 32, 0), (1024, 32, 0), (1024, 33, 0), (1024, 65, 0), (33, 24, 0), (1, 16, 0),
    (256, 33, 0), (64, 255, 0), (256, 64, 116736), (256, 16, 115712), (256, 16, 115713), (512, 64, MOST_SHARED),
    (320, 72, 6144), (64, 31, 22272), (64, 31, 22323), (992, 72, 0), (160, 168, 0), (1023, 16, 1),
)


def draw(rng, n):
    """(3, n) launches of all kinds; the first are `CORNERS`, as many as there is room for."""
    threads = np.where(rng.random(n) < 0.7, 32 * rng.integers(1, 33, n), rng.integers(1, 1025, n))
    registers = np.where(rng.random(n) < 0.5, rng.integers(16, 64, n), rng.integers(16, 256, n))
    some = np.where(rng.random(n) < 0.5, rng.integers(1, 20000, n), rng.integers(1, MOST_SHARED + 1, n))
    shared = np.where(rng.random(n) < 0.4, 0, some)
    launches = np.stack([threads, registers, shared])
    corners = np.array(CORNERS[:n]).T
    launches[:, : corners.shape[1]] = corners
    return launches.astype(np.int32)


def make(rng, n):
    threads, registers, shared = (np.ascontiguousarray(row) for row in draw(rng, n))
    return Case(threads=threads, registers=registers, shared=shared, warps=empty(n, np.int32), n=n)


def cases(rng):
    for n in sizes(TILE, most=500):
        yield make(rng, n)
    yield drawn(make(rng, larger(rng, 500)))


def picture(rng):
    return make(rng, TILE + 6)


def reference(threads, registers, shared, n):
    def up(values, multiple):
        return -(-values.astype(np.int64) // multiple) * multiple

    warps = up(threads, 32) // 32
    limits = (
        np.full(n, 32),
        64 // warps,
        4 * (65536 // 4 // up(32 * registers.astype(np.int64), 256)) // warps,
        233472 // up(shared.astype(np.int64) + 1024, 128),
    )
    return warps * np.minimum.reduce(limits)


PUZZLE = NumbaPuzzle(
    kernel="resident",
    args="warps threads registers shared n",
    launch=one_thread_per("warps", TILE),
    picture=picture,
    budget=Budget(
        global_loads_per_output=3,  # threads, registers and shared of the launch, once each
        needed=True,  # else a loop over all launches in every thread would pass: each writes the same values
        idea="Let each thread work out one launch, and load its three numbers once.",
    ),
)
