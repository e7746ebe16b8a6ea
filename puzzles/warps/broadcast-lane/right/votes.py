"""The lane that shows gets its count at once: the others vote on whether theirs is smaller."""

from numba import cuda, float32

FULL = 0xFFFFFFFF


@cuda.jit
def rank(out, a, n):
    i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    lane = cuda.laneid
    mine = float32(0)
    if i < n:
        mine = a[i]
    k = 0
    while k < 32:
        shown = cuda.shfl_sync(FULL, mine, k)
        votes = cuda.ballot_sync(FULL, i < n and mine < shown)
        if lane == k and i < n:
            out[i] = cuda.popc(votes)
        k += 1
