"""A device function fetches a number or a zero; threads without an output leave after the last barrier."""

import numba
from numba import cuda

TILE = 16


@cuda.jit(device=True)
def fetch(matrix, row, column):
    if row < matrix.shape[0] and column < matrix.shape[1]:
        return matrix[row, column]
    return numba.float32(0)


@cuda.jit
def matmul(out, a, b, m, n, k):
    tiles = cuda.shared.array((2, TILE, TILE), numba.float32)
    x, y = cuda.grid(2)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    total = numba.float32(0)
    for step in range((k + TILE - 1) // TILE):
        cuda.syncthreads()
        tiles[0, ty, tx] = fetch(a, y, step * TILE + tx)
        tiles[1, ty, tx] = fetch(b, step * TILE + ty, x)
        cuda.syncthreads()
        for t in range(TILE):
            total += tiles[0, ty, t] * tiles[1, t, tx]
    if y >= m or x >= n:
        return
    out[y, x] = total
