"""Matrix product in tiles of 128 x 128, 8 x 8 outputs in the registers of each thread; for sizes that the tiles divide.

Both tiles are read along their rows, so that of a stands on its side. A thread's outputs are two runs of four rows by
two runs of four columns, half a tile apart: four neighbours are one load of 16 bytes. What the next step needs is
loaded into registers while this one is computed. Indices are unsigned, for they need no test for being negative.
"""

from numba import cuda, float32, uint32

TILE = 128
DEPTH = 16
SIDE = 8
RUN = 4
RUNS = TILE // RUN  # of a row of a tile
SPREAD = RUNS + 1  # one more: the stores of a's tile, down its columns, meet in fewer banks
LOADS = TILE * DEPTH // 256  # of each tile for each thread


@cuda.jit
def matmul(out, a, b, m, n, k):
    a_tile = cuda.shared.array((DEPTH, SPREAD, RUN), float32, alignment=16)
    b_tile = cuda.shared.array((DEPTH, RUNS, RUN), float32, alignment=16)
    sums = cuda.local.array((SIDE, SIDE), float32)
    left, right = cuda.local.array(SIDE, float32), cuda.local.array(SIDE, float32)
    next_a, next_b = cuda.local.array(LOADS, float32), cuda.local.array(LOADS, float32)
    tx, ty = uint32(cuda.threadIdx.x), uint32(cuda.threadIdx.y)
    far_x, far_y = uint32(tx + 16), uint32(ty + 16)
    top, start = uint32(cuda.blockIdx.y * TILE), uint32(cuda.blockIdx.x * TILE)
    t = uint32(ty * 16 + tx)
    a_row, a_column = uint32(t // DEPTH), uint32(t % DEPTH)
    b_row, b_column = uint32(t // TILE), uint32(t % TILE)
    for i in range(SIDE):
        for j in range(SIDE):
            sums[i, j] = float32(0)
    for i in range(LOADS):
        next_a[i] = a[uint32(top + a_row + 16 * i), a_column]
        next_b[i] = b[uint32(b_row + 2 * i), uint32(start + b_column)]
    for first in range(0, k, DEPTH):
        for i in range(LOADS):
            row = uint32(a_row + 16 * i)
            a_tile[a_column, uint32(row // RUN), uint32(row % RUN)] = next_a[i]
            b_tile[uint32(b_row + 2 * i), uint32(b_column // RUN), uint32(b_column % RUN)] = next_b[i]
        cuda.syncthreads()
        following = uint32(first + DEPTH)
        if following < uint32(k):
            for i in range(LOADS):
                next_a[i] = a[uint32(top + a_row + 16 * i), uint32(following + a_column)]
                next_b[i] = b[uint32(following + b_row + 2 * i), uint32(start + b_column)]
        for d in range(DEPTH):
            for i in range(RUN):
                left[i], left[RUN + i] = a_tile[d, ty, i], a_tile[d, far_y, i]
                right[i], right[RUN + i] = b_tile[d, tx, i], b_tile[d, far_x, i]
            for i in range(SIDE):
                for j in range(SIDE):
                    sums[i, j] += left[i] * right[j]
        cuda.syncthreads()
    for i in range(SIDE):
        y = uint32(top + (ty if i < RUN else far_y) * RUN + i % RUN)
        for j in range(SIDE):
            out[y, uint32(start + (tx if j < RUN else far_x) * RUN + j % RUN)] = sums[i, j]
