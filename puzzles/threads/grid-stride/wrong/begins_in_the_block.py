# verdict: race, line 9
# Every block begins at element 0.
from numba import cuda


@cuda.jit
def saxpy(out, alpha, x, y, n):
    for i in range(cuda.threadIdx.x, n, cuda.blockDim.x):
        out[i] = alpha * x[i] + y[i]
