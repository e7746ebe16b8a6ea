"""The step by hand, in a while loop."""

from numba import cuda


@cuda.jit
def saxpy(y, alpha, x, n):
    i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    step = cuda.gridDim.x * cuda.blockDim.x
    while i < n:
        y[i] = alpha * x[i] + y[i]
        i += step
