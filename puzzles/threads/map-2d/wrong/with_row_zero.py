# verdict: wrong answer, line 10
# Each row multiplies with row 0 of a.
from numba import cuda


@cuda.jit
def square(out, a, rows, columns):
    x, y = cuda.grid(2)
    if x < columns and y < rows:
        out[y, x] = a[y, x] * a[0, x]
