"""Sums of three: out[i] = a[i-2] + a[i-1] + a[i], 0 left of a[0]."""

from numba import cuda, float32

TPB = 64  # threads per block: pool[blocks, TPB](out, a, n)
CELLS = TPB + 2  # a shared shape must be a name or a number


@cuda.jit
def pool(out, a, n):
    # the block's stretch of a, and two cells to its left
    tile = cuda.shared.array(CELLS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    # 1. copy a[i] into the tile; the first two threads also fetch
    #    what lies to the left of the block
    # 2. wait until the whole block has done so
    # 3. add three neighbouring cells of the tile into out[i]
