# verdict: barrier divergence, line 14
# The mask names all 32 lanes, but only those with an element come.
from numba import cuda

FULL = 0xFFFFFFFF


@cuda.jit
def warp_sum(out, a, n):
    i = cuda.grid(1)
    if i < n:
        total = a[i]
        for step in (16, 8, 4, 2, 1):
            total += cuda.shfl_down_sync(FULL, total, step)
        if cuda.laneid == 0:
            out[i // 32] = total
