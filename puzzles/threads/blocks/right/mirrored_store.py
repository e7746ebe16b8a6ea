"""Reads forwards and writes backwards."""

from numba import cuda


@cuda.jit
def reverse(out, a, n):
    i = cuda.grid(1)
    if i >= n:
        return
    out[n - 1 - i] = a[i]
