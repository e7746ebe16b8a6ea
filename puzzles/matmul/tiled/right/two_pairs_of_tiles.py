"""Two pairs of tiles take turns, so one barrier in each step is enough."""

from numba import cuda, float32

TILE = 16


@cuda.jit
def matmul(out, a, b, m, n, k):
    a_tiles = cuda.shared.array((2, TILE, TILE), float32)
    b_tiles = cuda.shared.array((2, TILE, TILE), float32)
    x, y = cuda.grid(2)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    total = float32(0)
    for step in range(k // TILE):
        pair = step % 2
        a_tiles[pair, ty, tx] = a[y, step * TILE + tx]
        b_tiles[pair, ty, tx] = b[step * TILE + ty, x]
        cuda.syncthreads()
        for t in range(TILE):
            total += a_tiles[pair, ty, t] * b_tiles[pair, t, tx]
    out[y, x] = total
