"""Matrix product in tiles of 16 x 16; m, n and k are multiples of 16."""

from numba import cuda, float32

TILE = 16  # a block has TILE x TILE threads, one for each of its outputs


@cuda.jit
def matmul(out, a, b, m, n, k):
    a_tile = cuda.shared.array((TILE, TILE), float32)
    b_tile = cuda.shared.array((TILE, TILE), float32)
    x, y = cuda.grid(2)  # column and row of out
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y  # column and row in the block, and in the tiles
    total = float32(0)
    for first in range(0, k, TILE):
        # 1. one number of a and one of b into the tiles: columns first ... of a, rows first ... of b
        # 2. add up TILE products of the tiles
        # where must the threads wait for each other?
        pass
    # 3. store the sum
