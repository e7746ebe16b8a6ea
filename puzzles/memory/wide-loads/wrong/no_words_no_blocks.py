# verdict: raised, line 18
# Three pixels are no whole word, and a grid of 0 blocks is an error.
import numpy as np
from numba import cuda

TPB = 64


@cuda.jit
def flip(out, a):
    i = cuda.grid(1)
    if i < a.size:
        out[i] = ~a[i]


def negative(out, a, n):
    whole = n // 4 * 4
    flip[(whole // 4 + TPB - 1) // TPB, TPB](out[:whole].view(np.uint32), a[:whole].view(np.uint32))
    if whole < n:
        flip[1, TPB](out[whole:], a[whole:])
