# verdict: not written
from numba import cuda


@cuda.jit
def subtract(out, a, b):
    i = 2 * cuda.threadIdx.x
    if i < out.shape[0]:
        out[i] = a[i] - b[i]
