"""Subtract, a thread per element."""

from numba import cuda


@cuda.jit
def subtract(out, a, b):
    i = cuda.threadIdx.x
    out[i] = a[i] - b[i]
