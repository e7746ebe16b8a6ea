# verdict: over budget, line 18
# The starter: the stores of a warp go down a column of out.
from numba import cuda

TILE = 64
ACROSS, DOWN = 32, 16


@cuda.jit
def transpose(out, a, rows, columns):
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    left = cuda.blockIdx.x * TILE
    top = cuda.blockIdx.y * TILE
    for r in range(ty, TILE, DOWN):
        for c in range(tx, TILE, ACROSS):
            y, x = top + r, left + c
            if y < rows and x < columns:
                out[x, y] = a[y, x]
