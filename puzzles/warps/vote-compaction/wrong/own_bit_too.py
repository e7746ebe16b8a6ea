# verdict: out of bounds or wrong answer
# 2 << lane less 1 has the own bit as well: everything one place too far.
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
        votes = cuda.ballot_sync(FULL, keep)
        if keep:
            below = (2 << lane) - 1
            out[row, kept + cuda.popc(votes & below)] = value
        kept += cuda.popc(votes)
    if lane == 0:
        length[row] = kept
