# verdict: race, line 11
from numba import cuda


@cuda.jit
def dot(out, a, b, n):
    t = cuda.threadIdx.x
    if t == 0:
        out[0] = 0
    if t < n:
        out[0] += a[t] * b[t]
