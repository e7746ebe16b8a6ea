# verdict: out of bounds or wrong answer, line 21
# Bits are numbered by lane, 0 to 31; the block's threads go up to 127.
from numba import cuda, float32

FULL = 0xFFFFFFFF


@cuda.jit
def pack(out, length, a, rows, n):
    row = cuda.grid(1) // 32
    t = cuda.threadIdx.x
    if row >= rows:
        return
    kept = 0
    for first in range(0, n, 32):
        column = first + t % 32
        value = a[row, column] if column < n else float32(0)
        keep = value > float32(0)
        votes = cuda.ballot_sync(FULL, keep)
        if keep:
            out[row, kept + cuda.popc(votes & ((1 << t) - 1))] = value
        kept += cuda.popc(votes)
    if t % 32 == 0:
        length[row] = kept
