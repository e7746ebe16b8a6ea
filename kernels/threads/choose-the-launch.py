"""Square n elements with as many blocks as it takes."""

from numba import cuda

THREADS = 256


@cuda.jit
def square(out, a, n):
    i = cuda.grid(1)
    if i < n:
        value = a[i]
        out[i] = value * value


def square_all(out, a, n):
    blocks = (n + THREADS - 1) // THREADS
    if blocks > 0:
        square[blocks, THREADS](out, a, n)
