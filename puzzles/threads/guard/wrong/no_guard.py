# verdict: out of bounds, line 8
from numba import cuda


@cuda.jit
def add_ten(out, a, n):
    i = cuda.threadIdx.x
    out[i] = a[i] + 10
