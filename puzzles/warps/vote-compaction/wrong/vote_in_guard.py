# verdict: barrier divergence, line 19
# Lanes without a column are named in the mask and do not vote.
from numba import cuda, float32

FULL = 0xFFFFFFFF


@cuda.jit
def pack(out, length, a, rows, n):
    row = cuda.grid(1) // 32
    lane = cuda.laneid
    if row >= rows:
        return
    kept = 0
    for first in range(0, n, 32):
        column = first + lane
        if column < n:
            value = a[row, column]
            votes = cuda.ballot_sync(FULL, value > float32(0))
            if value > float32(0):
                out[row, kept + cuda.popc(votes & cuda.lanemask_lt())] = value
            kept += cuda.popc(votes)
    if lane == 0:
        length[row] = kept
