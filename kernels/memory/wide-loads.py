"""The negative of a picture of bytes, eight pixels in a word; the last few pixels of an odd length one by one."""

import numpy as np
from numba import cuda

TPB = 64
WORD = np.uint64


@cuda.jit
def flip(out, a):
    i = cuda.grid(1)
    if i < a.size:
        out[i] = ~a[i]


def flip_all(out, a):
    if a.size > 0:
        flip[(a.size + TPB - 1) // TPB, TPB](out, a)


def negative(out, a, n):
    whole = n - n % WORD().nbytes
    flip_all(out[:whole].view(WORD), a[:whole].view(WORD))
    flip_all(out[whole:], a[whole:])
