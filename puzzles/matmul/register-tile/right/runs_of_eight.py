"""Each thread has 8 neighbouring rows and columns; the tile of a is filled on its side."""

from numba import cuda, float32

TILE = 128
DEPTH = 16
SIDE = 8


@cuda.jit
def matmul(out, a, b, m, n, k):
    a_tile = cuda.shared.array((DEPTH, TILE), float32)
    b_tile = cuda.shared.array((DEPTH, TILE), float32)
    sums = cuda.local.array((SIDE, SIDE), float32)
    left = cuda.local.array(SIDE, float32)
    right = cuda.local.array(SIDE, float32)
    x, y = SIDE * cuda.threadIdx.x, SIDE * cuda.threadIdx.y
    t = cuda.threadIdx.y * 16 + cuda.threadIdx.x
    top, start = cuda.blockIdx.y * TILE, cuda.blockIdx.x * TILE
    for i in range(SIDE):
        for j in range(SIDE):
            sums[i, j] = 0
    for first in range(0, k, DEPTH):
        for cell in range(t, TILE * DEPTH, 256):
            a_tile[cell % DEPTH, cell // DEPTH] = a[top + cell // DEPTH, first + cell % DEPTH]
            b_tile[cell // TILE, cell % TILE] = b[first + cell // TILE, start + cell % TILE]
        cuda.syncthreads()
        for d in range(DEPTH):
            for i in range(SIDE):
                left[i] = a_tile[d, y + i]
                right[i] = b_tile[d, x + i]
            for i in range(SIDE):
                for j in range(SIDE):
                    sums[i, j] += left[i] * right[j]
        cuda.syncthreads()
    for i in range(SIDE):
        for j in range(SIDE):
            out[top + y + i, start + x + j] = sums[i, j]
