# verdict: out of bounds, line 8
from numba import cuda


@cuda.jit
def reverse(out, a, n):
    i = cuda.grid(1)
    out[i] = a[n - 1 - i]
