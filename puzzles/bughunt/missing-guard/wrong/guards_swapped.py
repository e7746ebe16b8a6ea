# verdict: out of bounds, line 10
# Both axes are asked for, each against the extent of the other.
from numba import cuda, float32


@cuda.jit
def brighten(out, a, rows, columns):
    x, y = cuda.grid(2)
    if x < rows and y < columns:
        value = a[y, x] * float32(2)
        out[y, x] = min(value, float32(255))


ANSWER = (9, "out of bounds")
