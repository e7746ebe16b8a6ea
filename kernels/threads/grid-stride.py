"""SAXPY with a grid-stride loop."""

from numba import cuda


@cuda.jit
def saxpy(out, alpha, x, y, n):
    for i in range(cuda.grid(1), n, cuda.gridsize(1)):
        out[i] = alpha * x[i] + y[i]
