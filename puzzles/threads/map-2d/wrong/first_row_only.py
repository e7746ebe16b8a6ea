# verdict: race, line 11
# The row is forgotten where it is stored: all rows end up in the first.
from numba import cuda


@cuda.jit
def square(out, a, rows, columns):
    x, y = cuda.grid(2)
    if x < columns and y < rows:
        value = a[y, x]
        out[0, x] = value * value
