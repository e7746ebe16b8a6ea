# verdict: wrong answer, line 8
from numba import cuda


@cuda.jit
def negate(out, a):
    i = cuda.threadIdx.x
    out[i] = a[i]
