# verdict: race, line 10
# Block 1 begins at element 1 and not at 64.
from numba import cuda


@cuda.jit
def reverse(out, a, n):
    i = cuda.blockIdx.x + cuda.threadIdx.x
    if i < n:
        out[i] = a[n - 1 - i]
