"""Ranks: out[i] is how many elements of the same warp are < a[i]."""

from numba import cuda, float32

FULL = 0xFFFFFFFF  # all 32 lanes


@cuda.jit
def rank(out, a, n):
    i = cuda.grid(1)
    first = i - cuda.laneid  # the element of lane 0
    # 1. each lane loads its own element, if it has one
    mine = float32(0)
    # 2. lanes 0 to 31 show theirs, cuda.shfl_sync(FULL, mine, k);
    #    count what is smaller, unless lane k has no element
    # 3. store the count
