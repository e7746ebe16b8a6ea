"""Blocks share the rows, and the threads of a block walk along a row."""

from numba import cuda, float32


@cuda.jit
def matmul(out, a, b, m, n, k):
    for row in range(cuda.blockIdx.x, m, cuda.gridDim.x):
        for column in range(cuda.threadIdx.x, n, cuda.blockDim.x):
            total = float32(0)
            for t in range(k):
                total += a[row, t] * b[t, column]
            out[row, column] = total
