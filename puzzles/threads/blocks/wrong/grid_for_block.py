# verdict: not written
# gridDim is how many blocks there are, not how many threads a block has.
from numba import cuda


@cuda.jit
def reverse(out, a, n):
    i = cuda.blockIdx.x * cuda.gridDim.x + cuda.threadIdx.x
    if i < n:
        out[i] = a[n - 1 - i]
