# verdict: not written
# Mirrors each block in itself: only right where n is a whole block.
from numba import cuda


@cuda.jit
def reverse(out, a, n):
    start = cuda.blockIdx.x * cuda.blockDim.x
    i = start + cuda.threadIdx.x
    j = start + cuda.blockDim.x - 1 - cuda.threadIdx.x
    if i < n and j < n:
        out[i] = a[j]
