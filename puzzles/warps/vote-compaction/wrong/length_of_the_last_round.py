# verdict: wrong answer
# length gets what the last round has kept.
from numba import cuda, float32

FULL = 0xFFFFFFFF


@cuda.jit
def pack(out, length, a, rows, n):
    row = cuda.grid(1) // 32
    lane = cuda.laneid
    if row >= rows:
        return
    kept = 0
    votes = 0
    for first in range(0, n, 32):
        column = first + lane
        value = a[row, column] if column < n else float32(0)
        keep = value > float32(0)
        votes = cuda.ballot_sync(FULL, keep)
        if keep:
            out[row, kept + cuda.popc(votes & cuda.lanemask_lt())] = value
        kept += cuda.popc(votes)
    if lane == 0:
        length[row] = cuda.popc(votes)
