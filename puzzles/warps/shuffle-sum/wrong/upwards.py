# verdict: wrong answer
# Shuffled up, the sum arrives in lane 31; lane 0 has its own element, many times over.
from numba import cuda, float32

FULL = 0xFFFFFFFF


@cuda.jit
def warp_sum(out, a, n):
    i = cuda.grid(1)
    total = a[i] if i < n else float32(0)
    for step in (16, 8, 4, 2, 1):
        total += cuda.shfl_up_sync(FULL, total, step)
    if cuda.laneid == 0 and i < n:
        out[i // 32] = total
