# verdict: does not compile
from numba import cuda


@cuda.jit
def negate(out, a):
    i = cuda.threadIdx.x
    return -a[i]
