# verdict: wrong answer
# After a scan the sum of the warp is in the last lane, not in the first.
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
    step = 1
    while step < 32:
        left = cuda.shfl_up_sync(FULL, total, step)
        if lane >= step:
            total += left
        step *= 2
    if lane == 0:
        sums[warp] = total
    cuda.syncthreads()
    for w in range(warp):
        total += sums[w]
    if i < n:
        out[i] = total
