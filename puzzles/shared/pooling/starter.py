"""Sum each element with its two left neighbours: out[i] = a[i-2] + a[i-1] + a[i]."""

from numba import cuda, float32

TPB = 64  # threads per block: pool[blocks, TPB](out, a, n)
CELLS = TPB + 2  # the shape of a shared array must be a constant, not an expression


@cuda.jit
def pool(out, a, n):
    tile = cuda.shared.array(CELLS, float32)  # one block's stretch of a, and two cells to its left
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    # 1. copy a[i] into the tile; the first two threads also fetch what lies left of the block
    # 2. wait until the whole block has done so
    # 3. add three neighbouring cells of the tile into out[i]
