# verdict: wrong answer, line 9
from numba import cuda


@cuda.jit
def reverse(out, a, n):
    i = cuda.grid(1)
    if i < n:
        out[i] = a[i]
