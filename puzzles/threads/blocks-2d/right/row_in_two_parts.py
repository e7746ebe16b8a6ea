"""The threads of a row of blocks walk along their row: first what is kept, then the zeros."""

from numba import cuda


@cuda.jit
def lower(out, a, rows, columns):
    start, y = cuda.grid(2)
    if y < rows:
        step = cuda.gridsize(2)[0]
        x = start
        while x < columns and x <= y:
            out[y, x] = a[y, x]
            x += step
        while x < columns:
            out[y, x] = 0
            x += step
