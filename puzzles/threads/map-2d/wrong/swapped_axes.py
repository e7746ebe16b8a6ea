# verdict: not written
# x for the row: 8 rows of threads cannot reach 16 columns.
from numba import cuda


@cuda.jit
def square(out, a, rows, columns):
    row = cuda.threadIdx.x
    column = cuda.threadIdx.y
    if row < rows and column < columns:
        out[row, column] = a[row, column] * a[row, column]
