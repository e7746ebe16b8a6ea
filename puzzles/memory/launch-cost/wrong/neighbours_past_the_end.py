# verdict: out of bounds, line 10
# The guards of the neighbours were lost on the way.
from numba import cuda, float32

TPB = 64


@cuda.jit(device=True)
def clipped(a, gain, offset, i):
    return max(gain * a[i] + offset, float32(0))


@cuda.jit
def fused(out, a, gain, offset, n):
    i = cuda.grid(1)
    if i < n:
        left = clipped(a, gain, offset, i - 1)
        right = clipped(a, gain, offset, i + 1)
        out[i] = left + clipped(a, gain, offset, i) + right


def process(out, a, gain, offset, n):
    fused[(n + TPB - 1) // TPB, TPB](out, a, gain, offset, n)
