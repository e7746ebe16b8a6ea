"""The kernels that our simulator and Numba's own both run, each with its launch and its arguments."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import cuda, float32

TILE = 16
BLOCK = 256


@cuda.jit
def matmul(c, a, b, n):
    rows = cuda.shared.array((TILE, TILE), float32)
    columns = cuda.shared.array((TILE, TILE), float32)
    x, y = cuda.grid(2)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    total = float32(0)
    for first in range(0, n, TILE):
        rows[ty, tx] = a[y, first + tx]
        columns[ty, tx] = b[first + ty, x]
        cuda.syncthreads()
        for k in range(TILE):
            total += rows[ty, k] * columns[k, tx]
        cuda.syncthreads()
    c[y, x] = total


@cuda.jit
def tree(out, a):
    cells = cuda.shared.array(BLOCK, float32)
    t = cuda.threadIdx.x
    cells[t] = a[cuda.grid(1)]
    cuda.syncthreads()
    step = BLOCK // 2
    while step > 0:
        if t < step:
            cells[t] += cells[t + step]
        cuda.syncthreads()
        step //= 2
    if t == 0:
        out[cuda.blockIdx.x] = cells[0]


@cuda.jit
def scale(out, a, n):
    i = cuda.grid(1)
    if i < n:
        out[i] = a[i] * float32(2)


def launches() -> dict[str, tuple[Any, Any, Any, list[Any], Any]]:
    """Name -> kernel, blocks, threads, arguments, and what the first argument must hold afterwards."""
    rng = np.random.default_rng(1)

    def normal(*shape: int) -> Any:
        return rng.standard_normal(shape, np.float32)

    a, b, values, flat = normal(64, 64), normal(64, 64), normal(16 * BLOCK), normal(4096)
    return {
        "matmul 64x64, tiles and blocks 16x16": (
            matmul,
            (4, 4),
            (TILE, TILE),
            [np.zeros((64, 64), np.float32), a, b, 64],
            a.astype(np.float64) @ b,
        ),
        "tree reduction, 16 blocks of 256": (
            tree,
            16,
            BLOCK,
            [np.zeros(16, np.float32), values],
            values.reshape(16, BLOCK).sum(1, np.float64),
        ),
        "map over 4096": (scale, 16, BLOCK, [np.zeros(4096, np.float32), flat, 4096], flat * 2.0),
    }
