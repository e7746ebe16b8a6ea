# verdict: not written
from numba import cuda


@cuda.jit
def add_ten(out, a, n):
    i = cuda.threadIdx.x
    if i < n - 1:
        out[i] = a[i] + 10
