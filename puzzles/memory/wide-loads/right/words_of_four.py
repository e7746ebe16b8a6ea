"""uint32 words, flipped by exclusive or; the rest with a kernel of its own."""

import numpy as np
from numba import cuda

TPB = 128


@cuda.jit
def words(out, a):
    i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    if i >= a.shape[0]:
        return
    out[i] = a[i] ^ 0xFFFFFFFF


@cuda.jit
def rest(out, a, n):
    i = n // 4 * 4 + cuda.threadIdx.x
    out[i] = 255 - a[i]


def negative(out, a, n):
    count = n // 4
    if count:
        words[-(-count // TPB), TPB](out[: 4 * count].view(np.uint32), a[: 4 * count].view(np.uint32))
    if n % 4:
        rest[1, n % 4](out, a, n)
