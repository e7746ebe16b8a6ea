# verdict: race, line 8
from numba import cuda


@cuda.jit
def negate(out, a):
    i = cuda.threadIdx.x
    out[0] = -a[i]
