# verdict: wrong answer, line 8
from numba import cuda


@cuda.jit
def subtract(out, a, b):
    i = cuda.threadIdx.x
    out[i] = b[i] - a[i]
