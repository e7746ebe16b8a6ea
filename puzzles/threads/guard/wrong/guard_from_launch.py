# verdict: out of bounds, line 10
# Compares with the threads of the block, of which there are always 32, and not with the elements.
from numba import cuda


@cuda.jit
def add_ten(out, a, n):
    i = cuda.threadIdx.x
    if i < cuda.blockDim.x:
        out[i] = a[i] + 10
