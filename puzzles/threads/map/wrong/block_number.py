# verdict: not written
# The number of the block is 0 in every thread of this launch.
from numba import cuda


@cuda.jit
def negate(out, a):
    i = cuda.blockIdx.x
    out[i] = -a[i]
