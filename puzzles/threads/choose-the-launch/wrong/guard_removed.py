# verdict: out of bounds, line 9
# The spare threads of the last block need the guard.
from numba import cuda


@cuda.jit
def square(out, a, n):
    i = cuda.grid(1)
    value = a[i]
    out[i] = value * value


def square_all(out, a, n):
    blocks = -(-n // 64)
    if blocks:
        square[blocks, 64](out, a, n)
