# verdict: barrier divergence, line 11
from numba import cuda

FULL = 0xFFFFFFFF


@cuda.jit
def count(out, a, n):
    i = cuda.grid(1)
    if i < n:
        same = cuda.match_any_sync(FULL, a[i])
        if cuda.laneid == cuda.ffs(same) - 1:
            cuda.atomic.add(out, a[i], cuda.popc(same))
