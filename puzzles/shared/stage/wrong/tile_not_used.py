# verdict: over budget
from numba import cuda

TPB = 64


@cuda.jit
def mirror(out, a, n):
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    size = min(TPB, n - cuda.blockIdx.x * TPB)
    if i < n:
        out[i] = a[i] - a[i - t + size - 1 - t]
