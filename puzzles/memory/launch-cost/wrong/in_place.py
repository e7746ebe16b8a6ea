# verdict: race
# Scales and clips a itself, to save the array in between: block 1 reads what block 0 has changed, or not yet.
from numba import cuda, float32

TPB = 64


@cuda.jit(device=True)
def clipped(a, gain, offset, i):
    return max(gain * a[i] + offset, float32(0))


@cuda.jit
def fused(out, a, gain, offset, n):
    i = cuda.grid(1)
    if i < n:
        a[i] = clipped(a, gain, offset, i)
    cuda.syncthreads()
    if i < n:
        left = a[i - 1] if i > 0 else float32(0)
        right = a[i + 1] if i + 1 < n else float32(0)
        out[i] = left + a[i] + right


def process(out, a, gain, offset, n):
    fused[(n + TPB - 1) // TPB, TPB](out, a, gain, offset, n)
