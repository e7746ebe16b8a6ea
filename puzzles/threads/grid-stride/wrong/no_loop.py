# verdict: wrong answer
# Right only where there are as many threads as elements.
from numba import cuda


@cuda.jit
def saxpy(y, alpha, x, n):
    i = cuda.grid(1)
    if i < n:
        y[i] = alpha * x[i] + y[i]
