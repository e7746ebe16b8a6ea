# verdict: barrier divergence, line 20
# In the last tile not every thread has an element.
from numba import cuda, float32

TILE = 64
ROW = TILE + 1
ACROSS, DOWN = 32, 16


@cuda.jit
def transpose(out, a, rows, columns):
    tile = cuda.shared.array((TILE, ROW), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    left = cuda.blockIdx.x * TILE
    top = cuda.blockIdx.y * TILE
    for r in range(ty, TILE, DOWN):
        for c in range(tx, TILE, ACROSS):
            if top + r < rows and left + c < columns:
                tile[r, c] = a[top + r, left + c]
                cuda.syncthreads()
    for r in range(ty, TILE, DOWN):
        for c in range(tx, TILE, ACROSS):
            if left + r < columns and top + c < rows:
                out[left + r, top + c] = tile[c, r]
