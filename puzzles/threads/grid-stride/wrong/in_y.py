# verdict: input modified
# BLAS updates y; here the result has an array of its own.
from numba import cuda


@cuda.jit
def saxpy(out, alpha, x, y, n):
    for i in range(cuda.grid(1), n, cuda.gridsize(1)):
        y[i] += alpha * x[i]
        out[i] = y[i]
