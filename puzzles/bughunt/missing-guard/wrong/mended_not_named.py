# verdict: wrong answer, ANSWER
from numba import cuda, float32


@cuda.jit
def brighten(out, a, rows, columns):
    x, y = cuda.grid(2)
    if x < columns and y < rows:
        value = a[y, x] * float32(2)
        out[y, x] = min(value, float32(255))
