# verdict: input modified, line 9
# The product needs no home in x: it can stay in the thread.
from numba import cuda


@cuda.jit
def saxpy(y, alpha, x, n):
    for i in range(cuda.grid(1), n, cuda.gridsize(1)):
        x[i] *= alpha
        y[i] += x[i]
