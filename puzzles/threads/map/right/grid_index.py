"""The index that also works for many blocks."""

from numba import cuda


@cuda.jit
def negate(out, a):
    i = cuda.grid(1)
    out[i] = -a[i]
