"""Add ten, guarded."""

from numba import cuda, float32


@cuda.jit
def add_ten(out, a, n):
    i = cuda.threadIdx.x
    if i < n:
        out[i] = a[i] + float32(10)
