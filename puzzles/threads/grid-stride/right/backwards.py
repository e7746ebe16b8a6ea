"""The grid walks from the end to the beginning; a warp then begins within a sector (only the first star)."""

from numba import cuda


@cuda.jit
def saxpy(y, alpha, x, n):
    i = n - 1 - cuda.grid(1)
    while i >= 0:
        y[i] = alpha * x[i] + y[i]
        i -= cuda.gridsize(1)
