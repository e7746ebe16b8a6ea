"""The negative of a picture: out[i] = 255 - a[i]. Right, but slow."""

import numpy as np  # noqa: F401  np.uint32 is a word of 4 bytes
from numba import cuda

TPB = 64


@cuda.jit
def flip(out, a, n):
    i = cuda.grid(1)
    if i < n:
        out[i] = 255 - a[i]  # one byte at a time


def negative(out, a, n):  # runs on the CPU
    # 1. whole words: a[:...].view(np.uint32), and the same of out
    # 2. what is left over: up to three pixels
    flip[(n + TPB - 1) // TPB, TPB](out, a, n)
