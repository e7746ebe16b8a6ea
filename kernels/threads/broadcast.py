"""All differences, a thread per element of a 16 x 8 block."""

from numba import cuda


@cuda.jit
def table(out, a, b, rows, columns):
    x = cuda.threadIdx.x
    y = cuda.threadIdx.y
    if x < columns and y < rows:
        out[y, x] = a[y] - b[x]
