"""The first block takes the last stretch: blocks and elements may be matched as one likes."""

from numba import cuda


@cuda.jit
def reverse(out, a, n):
    block = cuda.gridDim.x - 1 - cuda.blockIdx.x
    i = block * cuda.blockDim.x + cuda.threadIdx.x
    last = out.shape[0] - 1
    if i <= last:
        out[i] = a[last - i]
