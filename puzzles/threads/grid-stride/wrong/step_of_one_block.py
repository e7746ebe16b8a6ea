# verdict: race, line 10
# Steps as long as a block: with two blocks some elements are done twice.
from numba import cuda


@cuda.jit
def saxpy(y, alpha, x, n):
    i = cuda.grid(1)
    while i < n:
        y[i] = alpha * x[i] + y[i]
        i += cuda.blockDim.x
