"""SAXPY with a grid-stride loop."""

from numba import cuda


@cuda.jit
def saxpy(y, alpha, x, n):
    for i in range(cuda.grid(1), n, cuda.gridsize(1)):
        y[i] = alpha * x[i] + y[i]
