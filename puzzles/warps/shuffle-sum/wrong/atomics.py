# verdict: over budget, line 12
from numba import cuda


@cuda.jit
def warp_sum(out, a, n):
    i = cuda.grid(1)
    if i < n and cuda.laneid == 0:
        out[i // 32] = 0
    cuda.syncwarp()
    if i < n:
        cuda.atomic.add(out, i // 32, a[i])
