# verdict: over budget
# A counter gives out the places, one at a time; that they come in order here is luck.
from numba import cuda


@cuda.jit
def pack(out, length, a, rows, n):
    row = cuda.grid(1) // 32
    lane = cuda.laneid
    if row >= rows:
        return
    if lane == 0:
        length[row] = 0
    cuda.syncwarp()
    for column in range(lane, n, 32):
        value = a[row, column]
        if value > 0:
            out[row, cuda.atomic.add(length, row, 1)] = value
