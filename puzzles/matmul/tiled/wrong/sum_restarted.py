# verdict: wrong answer
from numba import cuda, float32

TILE = 16


@cuda.jit
def matmul(out, a, b, m, n, k):
    a_tile = cuda.shared.array((TILE, TILE), float32)
    b_tile = cuda.shared.array((TILE, TILE), float32)
    x, y = cuda.grid(2)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    for first in range(0, k, TILE):
        a_tile[ty, tx] = a[y, first + tx]
        b_tile[ty, tx] = b[first + ty, x]
        cuda.syncthreads()
        total = float32(0)
        for t in range(TILE):
            total += a_tile[ty, t] * b_tile[t, tx]
        cuda.syncthreads()
    out[y, x] = total
