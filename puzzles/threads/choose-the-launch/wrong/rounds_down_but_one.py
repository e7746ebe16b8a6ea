# verdict: not written
# At least one block, and rounded down all the same: elements past the last whole block go without.
from numba import cuda


@cuda.jit
def square(out, a, n):
    i = cuda.grid(1)
    if i < n:
        out[i] = a[i] * a[i]


def square_all(out, a, n):
    if n > 0:
        square[max(1, n // 128), 128](out, a, n)
