# verdict: over budget, line 10
# Each block walks over the whole array: right numbers, and the work of one block done by all of them.
from numba import cuda


@cuda.jit
def reverse(out, a, n):
    i = cuda.threadIdx.x
    while i < n:
        out[i] = a[n - 1 - i]
        i += cuda.blockDim.x
