# verdict: race, line 15 or 16
from numba import cuda, float32

TILE = 16


@cuda.jit
def matmul(out, a, b, m, n, k):
    a_tile = cuda.shared.array((TILE, TILE), float32)
    b_tile = cuda.shared.array((TILE, TILE), float32)
    x, y = cuda.grid(2)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    total = float32(0)
    for first in range(0, k, TILE):
        a_tile[ty, tx] = a[y, first + tx]
        b_tile[ty, tx] = b[first + ty, x]
        cuda.syncthreads()
        for t in range(TILE):
            total += a_tile[ty, t] * b_tile[t, tx]
    out[y, x] = total
