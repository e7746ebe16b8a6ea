"""The step by hand, in a while loop."""

from numba import cuda


@cuda.jit
def saxpy(out, alpha, x, y, n):
    i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    step = cuda.gridDim.x * cuda.blockDim.x
    while i < n:
        out[i] = alpha * x[i] + y[i]
        i += step
