# verdict: over budget
# Sound, since syncwarp keeps the lanes in step, but the totals go through memory.
from numba import cuda, float32

TPB = 128


@cuda.jit
def warp_sum(out, a, n):
    sums = cuda.shared.array(TPB, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    lane = cuda.laneid
    sums[t] = a[i] if i < n else float32(0)
    cuda.syncwarp()
    for step in (16, 8, 4, 2, 1):
        if lane < step:
            sums[t] += sums[t + step]
        cuda.syncwarp()
    if lane == 0 and i < n:
        out[i // 32] = sums[t]
