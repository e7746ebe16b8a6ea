"""Add 10 to every element: out[i] = a[i] + 10.

32 threads run this, whatever n is.
"""

from numba import cuda


@cuda.jit
def add_ten(out, a, n):
    i = cuda.threadIdx.x
    # only threads with an element of their own may touch memory
