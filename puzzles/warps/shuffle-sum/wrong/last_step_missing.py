# verdict: wrong answer
from numba import cuda, float32

FULL = 0xFFFFFFFF


@cuda.jit
def warp_sum(out, a, n):
    i = cuda.grid(1)
    total = a[i] if i < n else float32(0)
    step = 16
    while step > 1:
        total += cuda.shfl_down_sync(FULL, total, step)
        step //= 2
    if cuda.laneid == 0 and i < n:
        out[i // 32] = total
