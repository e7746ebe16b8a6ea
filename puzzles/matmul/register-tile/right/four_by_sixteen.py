"""4 rows by 16 columns for each thread, steps of 8, and two pairs of tiles that take turns: one barrier a step."""

import numba
from numba import cuda

TILE = 128
DEPTH = 8
DOWN = 4
ACROSS = 16


@cuda.jit(device=True)
def products(sums, a_tile, b_tile, ty, tx):
    left = cuda.local.array(DOWN, numba.float32)
    for d in range(DEPTH):
        for i in range(DOWN):
            left[i] = a_tile[d, ty + 32 * i]
        for j in range(ACROSS):
            right = b_tile[d, tx + 8 * j]
            for i in range(DOWN):
                sums[i, j] += left[i] * right


@cuda.jit
def matmul(out, a, b, m, n, k):
    a_tiles = cuda.shared.array((2, DEPTH, TILE), numba.float32)
    b_tiles = cuda.shared.array((2, DEPTH, TILE), numba.float32)
    sums = cuda.local.array((DOWN, ACROSS), numba.float32)
    t = cuda.threadIdx.y * cuda.blockDim.x + cuda.threadIdx.x
    ty, tx = t // 8, t % 8
    top, start = cuda.blockIdx.y * TILE, cuda.blockIdx.x * TILE
    for i in range(DOWN):
        for j in range(ACROSS):
            sums[i, j] = numba.float32(0)
    step = 0
    while step * DEPTH < k:
        pair = step % 2
        for part in range(4):
            row, column = part * 32 + t // 8, t % 8
            a_tiles[pair, column, row] = a[top + row, step * DEPTH + column]
            row, column = part * 2 + t // 128, t % 128
            b_tiles[pair, row, column] = b[step * DEPTH + row, start + column]
        cuda.syncthreads()
        products(sums, a_tiles[pair], b_tiles[pair], ty, tx)
        step += 1
    for i in range(DOWN):
        for j in range(ACROSS):
            out[top + ty + 32 * i, start + tx + 8 * j] = sums[i, j]
