# verdict: over budget
# A single block, striding, with a barrier: one launch, but the array in between is stored and loaded.
import numpy as np
from numba import cuda, float32

TPB = 64


@cuda.jit
def fused(out, between, a, gain, offset, n):
    for i in range(cuda.threadIdx.x, n, TPB):
        between[i] = max(gain * a[i] + offset, float32(0))
    cuda.syncthreads()
    for i in range(cuda.threadIdx.x, n, TPB):
        left = between[i - 1] if i > 0 else float32(0)
        right = between[i + 1] if i + 1 < n else float32(0)
        out[i] = left + between[i] + right


def process(out, a, gain, offset, n):
    between = cuda.device_array(n, np.float32)
    fused[1, TPB](out, between, a, gain, offset, n)
