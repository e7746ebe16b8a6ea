"""Keep a on and below the diagonal, store 0 above it."""

from numba import cuda


@cuda.jit
def lower(out, a, rows, columns):
    x, y = cuda.grid(2)  # this thread in the whole matrix: column, row
    # 1. threads outside the matrix have nothing to do
    # 2. on or below the diagonal: copy
    # 3. above it: store 0
