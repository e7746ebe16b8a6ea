# verdict: out of bounds, line 10
# The guard is right, the index has x first.
from numba import cuda


@cuda.jit
def square(out, a, rows, columns):
    x, y = cuda.grid(2)
    if x < columns and y < rows:
        out[x, y] = a[x, y] * a[x, y]
