"""A tile without padding: cell (r, c) lies at column (r + c) % 64. Turned when it is stored, not when it is loaded."""

import numba
from numba import cuda

TILE = 64


@cuda.jit
def transpose(out, a, rows, columns):
    tile = cuda.shared.array((TILE, TILE), numba.float32)
    top = cuda.blockIdx.y * TILE
    left = cuda.blockIdx.x * TILE
    tx = cuda.threadIdx.x
    r = cuda.threadIdx.y
    while r < TILE and top + r < rows:
        for c in range(tx, min(TILE, columns - left), 32):
            tile[c, (r + c) % TILE] = a[top + r, left + c]
        r += 16
    cuda.syncthreads()
    height = min(TILE, rows - top)
    for k in range(cuda.threadIdx.y, min(TILE, columns - left), 16):
        for c in range(tx, height, 32):
            out[left + k, top + c] = tile[k, (c + k) % TILE]
