# verdict: input modified
# Two launches, and a itself in place of the array between them: no race, but the caller's numbers are gone.
from numba import cuda, float32

TPB = 64


@cuda.jit
def scale_and_clip(a, gain, offset, n):
    i = cuda.grid(1)
    if i < n:
        a[i] = max(gain * a[i] + offset, float32(0))


@cuda.jit
def smooth(out, a, n):
    i = cuda.grid(1)
    if i < n:
        left = a[i - 1] if i > 0 else float32(0)
        right = a[i + 1] if i + 1 < n else float32(0)
        out[i] = left + a[i] + right


def process(out, a, gain, offset, n):
    blocks = (n + TPB - 1) // TPB
    scale_and_clip[blocks, TPB](a, gain, offset, n)
    smooth[blocks, TPB](out, a, n)
