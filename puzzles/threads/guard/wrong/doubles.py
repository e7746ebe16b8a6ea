# verdict: wrong answer, line 9
from numba import cuda


@cuda.jit
def add_ten(out, a, n):
    i = cuda.threadIdx.x
    if i < n:
        out[i] = a[i] + a[i] + 10
