"""math.ceil, and the launch configuration kept in a variable."""

import math

from numba import cuda


@cuda.jit
def square(out, a, n):
    i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    if i < n:
        value = a[i]
        out[i] = value * value


def square_all(out, a, n):
    threads = min(32 * math.ceil(n / 32), 256)
    if threads == 0:
        return
    launch = square[math.ceil(n / threads), threads]
    launch(out, a, n)
    cuda.synchronize()
