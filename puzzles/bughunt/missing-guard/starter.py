"""Twice as bright: out = min(2 a, 255). There is a bug in it."""

from numba import cuda, float32


@cuda.jit
def brighten(out, a, rows, columns):
    x, y = cuda.grid(2)  # column and row
    if x < columns:
        value = a[y, x] * float32(2)
        out[y, x] = min(value, float32(255))


# the bug: (line, "kind"), line as first numbered
ANSWER = None
