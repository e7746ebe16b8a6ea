# verdict: raised, line 23
# One block, so that the barrier holds for all: but a block has at most 1024 threads.
import numpy as np
from numba import cuda, float32

TPB = 64


@cuda.jit
def fused(out, between, a, gain, offset, n):
    i = cuda.grid(1)
    if i < n:
        between[i] = max(gain * a[i] + offset, float32(0))
    cuda.syncthreads()
    if i < n:
        left = between[i - 1] if i > 0 else float32(0)
        right = between[i + 1] if i + 1 < n else float32(0)
        out[i] = left + between[i] + right


def process(out, a, gain, offset, n):
    between = cuda.device_array(n, np.float32)
    fused[1, n](out, between, a, gain, offset, n)
