# verdict: barrier divergence, line 14
# Only the lower lanes need the value, but the upper ones must come to offer it.
from numba import cuda, float32

FULL = 0xFFFFFFFF


@cuda.jit
def warp_sum(out, a, n):
    i = cuda.grid(1)
    total = a[i] if i < n else float32(0)
    for step in (16, 8, 4, 2, 1):
        if cuda.laneid < step:
            total += cuda.shfl_down_sync(FULL, total, step)
    if cuda.laneid == 0 and i < n:
        out[i // 32] = total
