# verdict: wrong answer, line 9
from numba import cuda


@cuda.jit
def table(out, a, b, rows, columns):
    x, y = cuda.grid(2)
    if x < columns and y < rows:
        out[y, x] = b[x] - a[y]
