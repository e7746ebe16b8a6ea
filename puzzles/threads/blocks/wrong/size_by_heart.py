# verdict: not written
# Blocks have 64 threads in most launches, and not in all.
from numba import cuda


@cuda.jit
def reverse(out, a, n):
    i = cuda.blockIdx.x * 64 + cuda.threadIdx.x
    if i < n:
        out[i] = a[n - 1 - i]
