"""Both numbers in variables first."""

from numba import cuda


@cuda.jit
def subtract(out, a, b):
    i = cuda.grid(1)
    left = a[i]
    right = b[i]
    out[i] = left - right
