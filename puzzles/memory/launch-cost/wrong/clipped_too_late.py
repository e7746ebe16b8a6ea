# verdict: wrong answer
# Adds up first and clips the sum: that is another function.
from numba import cuda, float32

TPB = 64


@cuda.jit(device=True)
def clipped(a, gain, offset, i):
    return gain * a[i] + offset


@cuda.jit
def fused(out, a, gain, offset, n):
    i = cuda.grid(1)
    if i < n:
        left = clipped(a, gain, offset, i - 1) if i > 0 else float32(0)
        right = clipped(a, gain, offset, i + 1) if i + 1 < n else float32(0)
        out[i] = max(left + clipped(a, gain, offset, i) + right, float32(0))


def process(out, a, gain, offset, n):
    fused[(n + TPB - 1) // TPB, TPB](out, a, gain, offset, n)
