# verdict: wrong answer
# Left of the first element there is 0 after scaling, not before: here it is scaled too.
from numba import cuda, float32

TPB = 64


@cuda.jit(device=True)
def clipped(a, gain, offset, i):
    return max(gain * a[i] + offset, float32(0))


@cuda.jit
def fused(out, a, gain, offset, n):
    i = cuda.grid(1)
    if i < n:
        left = clipped(a, gain, offset, i - 1) if i > 0 else max(offset, float32(0))
        right = clipped(a, gain, offset, i + 1) if i + 1 < n else max(offset, float32(0))
        out[i] = left + clipped(a, gain, offset, i) + right


def process(out, a, gain, offset, n):
    fused[(n + TPB - 1) // TPB, TPB](out, a, gain, offset, n)
