# verdict: input modified, line 10
from numba import cuda


@cuda.jit
def lower(out, a, rows, columns):
    x, y = cuda.grid(2)
    if x < columns and y < rows:
        if x > y:
            a[y, x] = 0
        out[y, x] = a[y, x]
