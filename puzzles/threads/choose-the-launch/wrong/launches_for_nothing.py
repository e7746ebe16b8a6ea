# verdict: not allowed, line 15
# One block more than n // threads covers everything, but there is nothing to cover for n = 0.
from numba import cuda


@cuda.jit
def square(out, a, n):
    i = cuda.grid(1)
    if i < n:
        out[i] = a[i] * a[i]


def square_all(out, a, n):
    threads = 256
    square[n // threads + 1, threads](out, a, n)
