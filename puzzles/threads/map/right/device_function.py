"""The arithmetic in a function of its own that threads call."""

from numba import cuda


@cuda.jit(device=True)
def flipped(x):
    return -x


@cuda.jit
def negate(out, a):
    i = cuda.threadIdx.x
    out[i] = flipped(a[i])
