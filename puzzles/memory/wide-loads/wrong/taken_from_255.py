# verdict: wrong answer
# Subtracts the whole word from 255: that is right for its lowest byte at most.
import numpy as np
from numba import cuda

TPB = 64


@cuda.jit
def flip(out, a):
    i = cuda.grid(1)
    if i < a.size:
        out[i] = 255 - a[i]


def negative(out, a, n):
    whole = n // 4 * 4
    if whole > 0:
        flip[(whole // 4 + TPB - 1) // TPB, TPB](out[:whole].view(np.uint32), a[:whole].view(np.uint32))
    if whole < n:
        flip[1, TPB](out[whole:], a[whole:])
