# verdict: over budget
# Scaling and clipping in one; the neighbours still wait for a launch of their own.
import numpy as np
from numba import cuda, float32

TPB = 64


@cuda.jit
def scale(out, a, gain, offset, n):
    i = cuda.grid(1)
    if i < n:
        out[i] = max(gain * a[i] + offset, float32(0))


@cuda.jit
def smooth(out, a, n):
    i = cuda.grid(1)
    if i < n:
        left = a[i - 1] if i > 0 else float32(0)
        right = a[i + 1] if i + 1 < n else float32(0)
        out[i] = left + a[i] + right


def process(out, a, gain, offset, n):
    blocks = (n + TPB - 1) // TPB
    scaled = cuda.device_array(n, np.float32)
    scale[blocks, TPB](scaled, a, gain, offset, n)
    smooth[blocks, TPB](out, scaled, n)
