# verdict: timed out, line 9
# i never changes, so the loop never ends.
from numba import cuda


@cuda.jit
def saxpy(y, alpha, x, n):
    i = cuda.grid(1)
    while i < n:
        y[i] = alpha * x[i] + y[i]
