"""One launch for each stretch of 256 elements: right, but many launches (only the first star)."""

from numba import cuda


@cuda.jit
def square(out, a, n):
    i = cuda.grid(1)
    if i < n:
        out[i] = a[i] * a[i]


def square_all(out, a, n):
    for start in range(0, n, 256):
        stop = min(start + 256, n)
        square[1, 256](out[start:stop], a[start:stop], stop - start)
