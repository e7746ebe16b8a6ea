"""Eight bytes at a time, then what is left in words of four, two and one: at most one of each."""

import numpy as np
from numba import cuda


@cuda.jit
def flip(out, a):
    i = cuda.grid(1)
    while i < a.size:
        out[i] = ~a[i]
        i += cuda.gridsize(1)


def negative(out, a, n):
    start = 0
    for kind in (np.uint64, np.uint32, np.uint16, np.uint8):
        width = np.dtype(kind).itemsize
        stop = start + (n - start) // width * width
        if stop > start:
            blocks = min(64, (stop - start) // width // 64 + 1)
            flip[blocks, 64](out[start:stop].view(kind), a[start:stop].view(kind))
        start = stop
