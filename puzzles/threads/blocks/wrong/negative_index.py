# verdict: out of bounds, line 10
# Python's way to count from the end.
from numba import cuda


@cuda.jit
def reverse(out, a, n):
    i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    if i < n:
        out[i] = a[-1 - i]
