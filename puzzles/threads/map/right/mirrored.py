"""Thread 0 takes the last element: which thread owns which element is free."""

from numba import cuda


@cuda.jit
def negate(out, a):
    i = cuda.blockDim.x - 1 - cuda.threadIdx.x
    x = a[i]
    out[i] = x - x - x
