# verdict: not written
# Without the block's number, every block works on the first 64 elements.
from numba import cuda


@cuda.jit
def reverse(out, a, n):
    i = cuda.threadIdx.x
    if i < n:
        out[i] = a[n - 1 - i]
