# verdict: over budget, line 31
# The number of a is kept for eight products, that of b is loaded for each.
from numba import cuda, float32

TILE = 128
DEPTH = 16
SIDE = 8


@cuda.jit
def matmul(out, a, b, m, n, k):
    a_tile = cuda.shared.array((TILE, DEPTH), float32)
    b_tile = cuda.shared.array((DEPTH, TILE), float32)
    sums = cuda.local.array((SIDE, SIDE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = ty * 16 + tx
    top = cuda.blockIdx.y * TILE
    start = cuda.blockIdx.x * TILE
    for i in range(SIDE):
        for j in range(SIDE):
            sums[i, j] = float32(0)
    for first in range(0, k, DEPTH):
        for cell in range(t, TILE * DEPTH, 256):
            a_tile[cell // DEPTH, cell % DEPTH] = a[top + cell // DEPTH, first + cell % DEPTH]
            b_tile[cell // TILE, cell % TILE] = b[first + cell // TILE, start + cell % TILE]
        cuda.syncthreads()
        for d in range(DEPTH):
            for i in range(SIDE):
                left = a_tile[ty + 16 * i, d]
                for j in range(SIDE):
                    sums[i, j] += left * b_tile[d, tx + 16 * j]
        cuda.syncthreads()
    for i in range(SIDE):
        for j in range(SIDE):
            out[top + ty + 16 * i, start + tx + 16 * j] = sums[i, j]
