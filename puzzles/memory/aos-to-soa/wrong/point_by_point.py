# verdict: over budget, line 10
# The starter: each load uses 4 of every 12 bytes that it moves.
from numba import cuda


@cuda.jit
def split(x, y, z, points, n):
    i = cuda.grid(1)
    if i < n:
        x[i] = points[3 * i]
        y[i] = points[3 * i + 1]
        z[i] = points[3 * i + 2]
