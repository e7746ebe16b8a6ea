# verdict: barrier divergence, line 20
# Who has nothing to keep must vote as well: its 0 counts, too.
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
        value = a[row, column] if column < n else float32(0)
        keep = value > float32(0)
        if keep:
            votes = cuda.ballot_sync(FULL, keep)
            out[row, kept + cuda.popc(votes & cuda.lanemask_lt())] = value
            kept += cuda.popc(votes)
    if lane == 0:
        length[row] = kept
