# verdict: wrong answer
# Divides the work into equal runs and rounds down: the remainder belongs to nobody.
from numba import cuda


@cuda.jit
def saxpy(y, alpha, x, n):
    each = n // cuda.gridsize(1)
    first = cuda.grid(1) * each
    for i in range(first, first + each):
        y[i] = alpha * x[i] + y[i]
