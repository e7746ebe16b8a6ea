"""No zeros: the sum goes only over what was filled, in threads that have an output."""

from numba import cuda, float32

TILE = 16


@cuda.jit
def matmul(out, a, b, m, n, k):
    a_tile = cuda.shared.array((TILE, TILE), float32)
    b_tile = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    x = cuda.blockIdx.x * TILE + tx
    y = cuda.blockIdx.y * TILE + ty
    inside = y < m and x < n
    total = float32(0)
    first = 0
    while first < k:
        depth = min(TILE, k - first)
        if y < m and tx < depth:
            a_tile[ty, tx] = a[y, first + tx]
        if x < n and ty < depth:
            b_tile[ty, tx] = b[first + ty, x]
        cuda.syncthreads()
        if inside:
            for t in range(depth):
                total += a_tile[ty, t] * b_tile[t, tx]
        cuda.syncthreads()
        first += TILE
    if inside:
        out[y, x] = total
