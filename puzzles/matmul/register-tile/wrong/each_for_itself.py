# verdict: over budget
# No tiles: 64 outputs from registers, but every number comes from global memory.
from numba import cuda, float32

TILE = 128
DEPTH = 16
SIDE = 8


@cuda.jit
def matmul(out, a, b, m, n, k):
    sums = cuda.local.array((SIDE, SIDE), float32)
    right = cuda.local.array(SIDE, float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    top = cuda.blockIdx.y * TILE
    start = cuda.blockIdx.x * TILE
    for i in range(SIDE):
        for j in range(SIDE):
            sums[i, j] = float32(0)
    for first in range(0, k, DEPTH):
        for d in range(DEPTH):
            for j in range(SIDE):
                right[j] = b[first + d, start + tx + 16 * j]
            for i in range(SIDE):
                left = a[top + ty + 16 * i, first + d]
                for j in range(SIDE):
                    sums[i, j] += left * right[j]
    for i in range(SIDE):
        for j in range(SIDE):
            out[top + ty + 16 * i, start + tx + 16 * j] = sums[i, j]
