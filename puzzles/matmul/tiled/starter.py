"""Matrix product in tiles of 16 x 16; 16 divides m, n and k."""

from numba import cuda, float32

TILE = 16  # a block has TILE x TILE threads, one for each output


@cuda.jit
def matmul(out, a, b, m, n, k):
    a_tile = cuda.shared.array((TILE, TILE), float32)
    b_tile = cuda.shared.array((TILE, TILE), float32)
    x, y = cuda.grid(2)  # column and row of out
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y  # the same in a tile
    total = float32(0)
    for first in range(0, k, TILE):
        # 1. fill the tiles: columns first ... of a, rows first ... of b
        # 2. add up TILE products; where must the threads wait?
        pass
    # 3. store the sum
