# verdict: race, line 17
# From the days when the lanes of a warp kept step: a tree in shared memory, and nobody waits.
from numba import cuda, float32

TPB = 128


@cuda.jit
def warp_sum(out, a, n):
    sums = cuda.shared.array(TPB, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    lane = cuda.laneid
    sums[t] = a[i] if i < n else float32(0)
    for step in (16, 8, 4, 2, 1):
        if lane < step:
            sums[t] += sums[t + step]
    if lane == 0 and i < n:
        out[i // 32] = sums[t]
