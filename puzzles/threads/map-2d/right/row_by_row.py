"""One thread a row, and a loop over its columns."""

from numba import cuda


@cuda.jit
def square(out, a, rows, columns):
    y = cuda.threadIdx.y
    if cuda.threadIdx.x == 0 and y < rows:
        x = 0
        while x < columns:
            value = a[y, x]
            out[y, x] = value * value
            x += 1
