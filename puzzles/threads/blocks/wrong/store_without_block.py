# verdict: race, line 10
# The load knows the block, the store does not: all blocks write the first 64 elements.
from numba import cuda


@cuda.jit
def reverse(out, a, n):
    i = cuda.grid(1)
    if i < n:
        out[cuda.threadIdx.x] = a[n - 1 - i]
