"""The first half of the threads takes two elements each, the rest does nothing."""

from numba import cuda


@cuda.jit
def subtract(out, a, b):
    n = out.shape[0]
    half = (n + 1) // 2
    t = cuda.threadIdx.x
    if t >= half:
        return
    for i in range(t, n, half):
        out[i] = a[i] - b[i]
