# verdict: raised, line 15
# A block has at most 1024 threads.
from numba import cuda


@cuda.jit
def square(out, a, n):
    i = cuda.grid(1)
    if i < n:
        out[i] = a[i] * a[i]


def square_all(out, a, n):
    if n:
        square[1, n](out, a, n)
