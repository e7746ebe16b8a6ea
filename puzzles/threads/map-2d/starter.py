"""Square every element of a matrix: out[y, x] = a[y, x] * a[y, x]."""

from numba import cuda


@cuda.jit
def square(out, a, rows, columns):
    x = cuda.threadIdx.x  # 0 to 15, along a row: the column
    y = cuda.threadIdx.y  # 0 to 7, from row to row
    # only threads inside the matrix may touch it, in both directions
