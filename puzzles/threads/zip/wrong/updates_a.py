# verdict: input modified, line 8
from numba import cuda


@cuda.jit
def subtract(out, a, b):
    i = cuda.threadIdx.x
    a[i] -= b[i]
    out[i] = a[i]
