"""Keep what is > 0, at the front of each row and in order."""

from numba import cuda, float32

FULL = 0xFFFFFFFF  # all 32 lanes


@cuda.jit
def pack(out, length, a, rows, n):
    row = cuda.grid(1) // 32  # 32 threads in a row: one warp
    lane = cuda.laneid
    if row >= rows:
        return  # whole warps leave, so no vote misses a lane
    kept = 0
    for first in range(0, n, 32):
        # 1. this lane's element, in column first + lane, if any
        value = float32(0)
        # 2. vote: cuda.ballot_sync(FULL, ...)
        # 3. who keeps its element stores it behind those before it
        # 4. count what the round has kept
    # 5. one lane stores length[row]
