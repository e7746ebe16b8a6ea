# verdict: race, line 9
# Every block begins at element 0.
from numba import cuda


@cuda.jit
def saxpy(y, alpha, x, n):
    for i in range(cuda.threadIdx.x, n, cuda.blockDim.x):
        y[i] = alpha * x[i] + y[i]
