"""Lanes without an element stay away, and the mask says so: each adds only what a lane with an element offers."""

from numba import cuda

FULL = 0xFFFFFFFF


@cuda.jit
def warp_sum(out, a, n):
    i = cuda.grid(1)
    lane = cuda.laneid
    here = cuda.ballot_sync(FULL, i < n)
    if i < n:
        total = a[i]
        for step in (16, 8, 4, 2, 1):
            there = lane + step < 32 and i + step < n
            other = cuda.shfl_sync(here, total, lane + step if there else lane)
            if there:
                total += other
        if lane == 0:
            out[i // 32] = total
