"""Without a match: the lowest lane left shows its value, those who have it vote, and the next one follows."""

from numba import cuda, int32

FULL = 0xFFFFFFFF


@cuda.jit
def count(out, a, n):
    i = cuda.grid(1)
    value = a[i] if i < n else int32(-1)
    left = cuda.ballot_sync(FULL, i < n)
    while left != 0:
        leader = cuda.ffs(left) - 1
        asked = cuda.shfl_sync(FULL, value, leader)
        same = cuda.ballot_sync(FULL, value == asked)
        if cuda.laneid == leader:
            cuda.atomic.add(out, asked, cuda.popc(same))
        left &= ~same
