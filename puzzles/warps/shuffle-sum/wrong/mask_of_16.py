# verdict: barrier divergence, line 13
# Four hex digits are 16 lanes, not 32.
from numba import cuda, float32

HALF = 0xFFFF


@cuda.jit
def warp_sum(out, a, n):
    i = cuda.grid(1)
    total = a[i] if i < n else float32(0)
    for step in (16, 8, 4, 2, 1):
        total += cuda.shfl_down_sync(HALF, total, step)
    if cuda.laneid == 0 and i < n:
        out[i // 32] = total
