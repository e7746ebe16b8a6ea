"""Lanes without a column leave the vote, and the mask says so; the bits below are shifted out, not masked."""

from numba import cuda, uint32

FULL = 0xFFFFFFFF


@cuda.jit
def pack(out, length, a, rows, n):
    row = (cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x) // 32
    lane = cuda.laneid
    if row < rows:
        kept = 0
        first = 0
        while first < n:
            here = FULL if n - first >= 32 else (1 << (n - first)) - 1
            if lane < n - first:
                value = a[row, first + lane]
                votes = uint32(cuda.ballot_sync(here, value > 0))
                above = uint32(votes >> uint32(lane))
                if value > 0:
                    out[row, kept + cuda.popc(votes) - cuda.popc(above)] = value
                kept += cuda.popc(votes)
            first += 32
        if lane == 0:
            length[row] = kept
