"""Transpose: out[x, y] = a[y, x]. Right, but slow."""

from numba import cuda

TILE = 64  # a block turns a tile of 64 x 64
ACROSS, DOWN = 32, 16  # with 32 x 16 threads: 8 elements for each


@cuda.jit
def transpose(out, a, rows, columns):
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y  # a warp has one ty
    left = cuda.blockIdx.x * TILE  # the tile's first column in a
    top = cuda.blockIdx.y * TILE  # and its first row
    for r in range(ty, TILE, DOWN):
        for c in range(tx, TILE, ACROSS):
            y, x = top + r, left + c
            if y < rows and x < columns:
                # the load is side by side; and the store?
                out[x, y] = a[y, x]
