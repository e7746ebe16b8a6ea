# verdict: out of bounds
from numba import cuda


@cuda.jit
def lower(out, a, rows, columns):
    x, y = cuda.grid(2)
    if x < rows and y < columns:
        if x <= y:
            out[y, x] = a[y, x]
        else:
            out[y, x] = 0
