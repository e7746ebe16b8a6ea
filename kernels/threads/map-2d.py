"""Square a matrix, a thread per element of a 16 x 8 block."""

from numba import cuda


@cuda.jit
def square(out, a, rows, columns):
    x = cuda.threadIdx.x
    y = cuda.threadIdx.y
    if x < columns and y < rows:
        value = a[y, x]
        out[y, x] = value * value
