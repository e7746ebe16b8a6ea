# verdict: input modified, line 8
from numba import cuda


@cuda.jit
def negate(out, a):
    i = cuda.threadIdx.x
    a[i] = -a[i]
