"""Each thread takes a run of neighbours: right, but a warp's loads lie far apart (only the first star)."""

from numba import cuda


@cuda.jit
def saxpy(y, alpha, x, n):
    threads = cuda.gridsize(1)
    each = (n + threads - 1) // threads
    first = cuda.grid(1) * each
    for i in range(first, min(first + each, n)):
        y[i] = alpha * x[i] + y[i]
