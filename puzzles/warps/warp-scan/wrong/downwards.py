# verdict: wrong answer
# Adds what lies to the right.
from numba import cuda, float32

FULL = 0xFFFFFFFF
WARPS = 4


@cuda.jit
def scan(out, a, n):
    sums = cuda.shared.array(WARPS, float32)
    lane = cuda.laneid
    warp = cuda.threadIdx.x // 32
    i = cuda.grid(1)
    total = a[i] if i < n else float32(0)
    for step in (1, 2, 4, 8, 16):
        right = cuda.shfl_down_sync(FULL, total, step)
        if lane + step < 32:
            total += right
    if lane == 31:
        sums[warp] = total
    cuda.syncthreads()
    for w in range(warp):
        total += sums[w]
    if i < n:
        out[i] = total
