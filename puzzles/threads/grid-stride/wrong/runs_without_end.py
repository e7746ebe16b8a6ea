# verdict: out of bounds, line 11
# Divides the work into equal runs and rounds up: the last runs go past the end.
from numba import cuda


@cuda.jit
def saxpy(y, alpha, x, n):
    each = (n + cuda.gridsize(1) - 1) // cuda.gridsize(1)
    first = cuda.grid(1) * each
    for i in range(first, first + each):
        y[i] = alpha * x[i] + y[i]
