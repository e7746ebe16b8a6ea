# verdict: barrier divergence, line 18
# In the last round the lanes without a column have left the loop.
from numba import cuda, float32

FULL = 0xFFFFFFFF


@cuda.jit
def pack(out, length, a, rows, n):
    row = cuda.grid(1) // 32
    lane = cuda.laneid
    if row >= rows:
        return
    kept = 0
    for column in range(lane, n, 32):
        value = a[row, column]
        keep = value > float32(0)
        votes = cuda.ballot_sync(FULL, keep)
        if keep:
            out[row, kept + cuda.popc(votes & cuda.lanemask_lt())] = value
        kept += cuda.popc(votes)
    if lane == 0:
        length[row] = kept
