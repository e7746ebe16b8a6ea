# verdict: not written
# Right only where there are as many threads as elements.
from numba import cuda


@cuda.jit
def saxpy(out, alpha, x, y, n):
    i = cuda.grid(1)
    if i < n:
        out[i] = alpha * x[i] + y[i]
