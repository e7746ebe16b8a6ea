# verdict: input modified
from numba import cuda


@cuda.jit
def subtract(out, a, b):
    i = cuda.threadIdx.x
    a[i] -= b[i]
    out[i] = a[i]
