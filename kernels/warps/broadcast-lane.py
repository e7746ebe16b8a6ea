"""Ranks in a warp: each lane in turn shows its number to all."""

from numba import cuda, float32

FULL = 0xFFFFFFFF


@cuda.jit
def rank(out, a, n):
    i = cuda.grid(1)
    first = i - cuda.laneid
    mine = a[i] if i < n else float32(0)
    smaller = 0
    for k in range(32):
        shown = cuda.shfl_sync(FULL, mine, k)
        if first + k < n and shown < mine:
            smaller += 1
    if i < n:
        out[i] = smaller
