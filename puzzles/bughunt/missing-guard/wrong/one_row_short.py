# verdict: not written
# The guard is there, and shuts out the last row.
from numba import cuda, float32


@cuda.jit
def brighten(out, a, rows, columns):
    x, y = cuda.grid(2)
    if x < columns and y < rows - 1:
        value = a[y, x] * float32(2)
        out[y, x] = min(value, float32(255))


ANSWER = (9, "out of bounds")
