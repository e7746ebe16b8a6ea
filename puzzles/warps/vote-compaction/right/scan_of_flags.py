"""Without a vote: a scan of ones and zeros by shuffles gives the same places, in five steps."""

from numba import cuda, float32, int32

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
        flag = int32(1) if value > float32(0) else int32(0)
        places = flag
        for step in (1, 2, 4, 8, 16):
            left = cuda.shfl_up_sync(FULL, places, step)
            if lane >= step:
                places += left
        if flag:
            out[row, kept + places - 1] = value
        kept += cuda.shfl_sync(FULL, places, 31)
    if lane == 0:
        length[row] = kept
