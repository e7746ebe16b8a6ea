# verdict: over budget, line 12
# The starter: a warp asks for 32 bytes at a time.
from numba import cuda

TPB = 64


@cuda.jit
def flip(out, a, n):
    i = cuda.grid(1)
    if i < n:
        out[i] = 255 - a[i]


def negative(out, a, n):
    flip[(n + TPB - 1) // TPB, TPB](out, a, n)
