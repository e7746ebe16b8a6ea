"""Fetches the next two numbers into registers while the tiles are in use; the tile of a is transposed."""

import numba
from numba import cuda

TILE = 16


@cuda.jit(device=True)
def dot(columns, rows, row, column):
    total = numba.float32(0)
    for t in range(TILE):
        total += columns[t][row] * rows[t][column]
    return total


@cuda.jit
def matmul(out, a, b, m, n, k):
    a_columns = cuda.shared.array((TILE, TILE), numba.float32)
    b_rows = cuda.shared.array((TILE, TILE), numba.float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    y = cuda.blockIdx.y * TILE + ty
    x = cuda.blockIdx.x * TILE + tx
    next_a = a[y, tx]
    next_b = b[ty, x]
    total = numba.float32(0)
    first = 0
    while first < k:
        a_columns[tx, ty] = next_a
        b_rows[ty, tx] = next_b
        first += TILE
        if first < k:
            next_a = a[y, first + tx]
            next_b = b[first + ty, x]
        cuda.syncthreads()
        total += dot(a_columns, b_rows, ty, tx)
        cuda.syncthreads()
    out[y, x] = total
