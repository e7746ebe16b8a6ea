"""Lanes without an element leave; the others name only those who stay, and ask only those."""

from numba import cuda

FULL = 0xFFFFFFFF


@cuda.jit
def rank(out, a, n):
    i = cuda.grid(1)
    here = cuda.ballot_sync(FULL, i < n)
    if i >= n:
        return
    first = i - cuda.laneid
    mine = a[i]
    smaller = 0
    for k in range(min(32, n - first)):
        smaller += cuda.shfl_sync(here, mine, k) < mine
    out[i] = smaller
