"""out[i] = a[i]*w[0] + ... + a[i+k-1]*w[k-1]; past its end a is 0."""

from numba import cuda, float32

TPB = 64  # threads per block: conv[blocks, TPB](out, a, w, n, k)
MOST_K = 5  # k is 1 to 5
CELLS = TPB + MOST_K - 1  # a shared shape must be a name or a number


@cuda.jit
def conv(out, a, w, n, k):
    tile = cuda.shared.array(CELLS, float32)
    weights = cuda.shared.array(MOST_K, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    # 1. fill the tile: 64 elements of this block, k - 1 of the next,
    #    zeros where a has ended
    # 2. fill the weights; wait
    # 3. multiply, add, write out[i]
