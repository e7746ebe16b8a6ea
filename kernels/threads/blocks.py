"""Reverse, a thread per element over many blocks."""

from numba import cuda


@cuda.jit
def reverse(out, a, n):
    i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    if i < n:
        out[i] = a[n - 1 - i]
