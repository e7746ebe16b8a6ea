# verdict: raised, line 16
# 1 // 256 is 0, and a grid of 0 blocks cannot be launched.
from numba import cuda


@cuda.jit
def square(out, a, n):
    i = cuda.grid(1)
    if i < n:
        out[i] = a[i] * a[i]


def square_all(out, a, n):
    if n == 0:
        return
    square[n // 256, 256](out, a, n)
