"""out as a scratch pad: right, but it goes to global memory twice more (only the first star)."""

from numba import cuda


@cuda.jit
def subtract(out, a, b):
    i = cuda.threadIdx.x
    out[i] = a[i]
    out[i] -= b[i]
