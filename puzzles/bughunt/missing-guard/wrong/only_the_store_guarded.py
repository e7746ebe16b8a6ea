# verdict: out of bounds, line 9
# The image is safe now, but the load still reads below it.
from numba import cuda, float32


@cuda.jit
def brighten(out, a, rows, columns):
    x, y = cuda.grid(2)
    value = a[y, x] * float32(2)
    if x < columns and y < rows:
        out[y, x] = min(value, float32(255))


ANSWER = (9, "out of bounds")
