"""Thread 0 of every block first, then thread 1 of every block: every index still has one owner (slower on a GPU)."""

from numba import cuda


@cuda.jit
def reverse(out, a, n):
    i = cuda.threadIdx.x * cuda.gridDim.x + cuda.blockIdx.x
    if i < n:
        out[i] = a[n - 1 - i]
