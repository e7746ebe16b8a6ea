# verdict: uninitialised read, line 15
# Lanes that have left cannot be asked for their total.
from numba import cuda

FULL = 0xFFFFFFFF


@cuda.jit
def warp_sum(out, a, n):
    i = cuda.grid(1)
    if i >= n:
        return
    total = a[i]
    for step in (16, 8, 4, 2, 1):
        total += cuda.shfl_down_sync(FULL, total, step)
    if cuda.laneid == 0:
        out[i // 32] = total
