# verdict: out of bounds, line 9
# In a ring the last thread would find a neighbour; an array ends.
from numba import cuda


@cuda.jit
def subtract(out, a, b):
    i = cuda.threadIdx.x
    out[i] = a[i] - b[i + 1]
