"""In a block of 64: out[0] = a[0] - a[63], out[1] = a[1] - a[62] ..."""

from numba import cuda, float32

TPB = 64  # threads per block: mirror[blocks, TPB](out, a, n)


@cuda.jit
def mirror(out, a, n):
    # one for each block; its length must be a constant
    tile = cuda.shared.array(TPB, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    # the elements of this block: fewer than TPB in the last one
    size = min(TPB, n - cuda.blockIdx.x * TPB)
    # 1. put a[i] into the tile
    # 2. wait until the whole block has done so: cuda.syncthreads()
    # 3. write the difference of two cells of the tile to out[i]
