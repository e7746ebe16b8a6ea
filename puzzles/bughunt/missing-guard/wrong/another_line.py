# verdict: wrong answer, ANSWER
# Neither mended nor named.
from numba import cuda, float32


@cuda.jit
def brighten(out, a, rows, columns):
    x, y = cuda.grid(2)  # column and row
    if x < columns:
        value = a[y, x] * float32(2)
        out[y, x] = min(value, float32(255))


# the bug: (line, "kind"), line as first numbered


ANSWER = (8, "out of bounds")
