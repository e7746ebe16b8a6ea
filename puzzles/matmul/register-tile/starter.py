"""Matrix product, 8 x 8 outputs for each thread of a 128 x 128 tile."""

from numba import cuda, float32

TILE = 128  # a block's outputs are TILE x TILE
DEPTH = 16  # columns of a, and rows of b, in a step
SIDE = 8  # a thread's outputs are SIDE x SIDE


@cuda.jit
def matmul(out, a, b, m, n, k):
    a_tile = cuda.shared.array((TILE, DEPTH), float32)
    b_tile = cuda.shared.array((DEPTH, TILE), float32)
    sums = cuda.local.array((SIDE, SIDE), float32)  # this thread's own
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y  # 0 to 15 each
    t = ty * 16 + tx  # 0 to 255
    top = cuda.blockIdx.y * TILE  # the block's first row of out
    start = cuda.blockIdx.x * TILE  # and its first column
    # 0. set the sums to 0: nobody else does
    for first in range(0, k, DEPTH):
        # 1. fill both tiles: 2048 cells each, and 256 threads; wait
        # 2. for each of the DEPTH columns of a_tile: load 8 numbers of
        #    a_tile and 8 of b_tile, and do 64 products with them; wait
        pass
    # 3. store the 64 sums
