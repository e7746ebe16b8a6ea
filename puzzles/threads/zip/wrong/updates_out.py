# verdict: uninitialised read, line 9
# out holds nothing useful when the kernel starts.
from numba import cuda


@cuda.jit
def subtract(out, a, b):
    i = cuda.threadIdx.x
    out[i] += a[i] - b[i]
