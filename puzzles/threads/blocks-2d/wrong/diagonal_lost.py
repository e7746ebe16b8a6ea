# verdict: wrong answer, line 12
from numba import cuda


@cuda.jit
def lower(out, a, rows, columns):
    x, y = cuda.grid(2)
    if x < columns and y < rows:
        if x < y:
            out[y, x] = a[y, x]
        else:
            out[y, x] = 0
