"""A device function finds the place; rows are views, and the lane is computed, not asked for."""

from numba import cuda, float32


@cuda.jit(device=True)
def place_and_count(keep, lane):
    votes = cuda.ballot_sync(-1, keep)
    return cuda.popc(votes & ((1 << lane) - 1)), cuda.popc(votes)


@cuda.jit
def pack(out, length, a, rows, n):
    warps = cuda.gridsize(1) // 32
    lane = cuda.threadIdx.x % 32
    for row in range(cuda.grid(1) // 32, rows, warps):
        line = a[row]
        packed = out[row]
        kept = 0
        for round in range((n + 31) // 32):
            column = 32 * round + lane
            value = float32(-1)
            if column < n:
                value = line[column]
            place, count = place_and_count(value > 0, lane)
            if value > 0:
                packed[kept + place] = value
            kept += count
        if lane == 31:
            length[row] = kept
