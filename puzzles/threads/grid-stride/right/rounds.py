"""A loop over rounds, the same number for all threads, with a guard inside."""

from numba import cuda


@cuda.jit
def saxpy(y, alpha, x, n):
    threads = cuda.gridsize(1)
    for round in range((n + threads - 1) // threads):
        i = round * threads + cuda.grid(1)
        if i >= n:
            break
        y[i] = alpha * x[i] + y[i]
