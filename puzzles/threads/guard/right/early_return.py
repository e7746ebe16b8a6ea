"""Threads without work leave at once; the length comes from the array itself."""

from numba import cuda


@cuda.jit
def add_ten(out, a, n):
    i = cuda.grid(1)
    if i >= out.shape[0]:
        return
    out[i] = a[i] + 10
