"""Lane l asks lane l + k: no two ask the same, and lanes past the end show infinity, which is smaller than nothing."""

import math

from numba import cuda, float32

FULL = 0xFFFFFFFF


@cuda.jit
def rank(out, a, n):
    i = cuda.grid(1)
    mine = a[i] if i < n else float32(math.inf)
    smaller = 0
    for k in range(1, 32):
        if cuda.shfl_sync(FULL, mine, (cuda.laneid + k) % 32) < mine:
            smaller += 1
    if i < n:
        out[i] = smaller
