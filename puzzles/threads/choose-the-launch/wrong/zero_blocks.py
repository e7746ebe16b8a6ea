# verdict: raised, line 15
# Rightly rounded, and yet it launches: 0 blocks are an error.
from numba import cuda


@cuda.jit
def square(out, a, n):
    i = cuda.grid(1)
    if i < n:
        out[i] = a[i] * a[i]


def square_all(out, a, n):
    threads = 128
    square[(n + threads - 1) // threads, threads](out, a, n)
