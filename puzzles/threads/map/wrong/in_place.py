# verdict: input modified
from numba import cuda


@cuda.jit
def negate(out, a):
    i = cuda.threadIdx.x
    a[i] = -a[i]
