"""Rounding down from the other side is rounding up; blocks of 1024."""

from numba import cuda


@cuda.jit
def square(out, a, n):
    i = cuda.grid(1)
    if i >= n:
        return
    out[i] = a[i] * a[i]


def square_all(out, a, n):
    blocks = -(-n // 1024)
    if blocks > 0:
        square[blocks, 1024](out, a, n)
