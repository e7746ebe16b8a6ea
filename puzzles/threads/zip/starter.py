"""Subtract b from a, element by element: out[i] = a[i] - b[i]."""

from numba import cuda


@cuda.jit
def subtract(out, a, b):
    i = cuda.threadIdx.x
    # load one element of a and one of b, store their difference
