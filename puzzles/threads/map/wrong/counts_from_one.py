# verdict: out of bounds, line 8
from numba import cuda


@cuda.jit
def negate(out, a):
    i = cuda.threadIdx.x + 1
    out[i] = -a[i]
