# verdict: wrong answer
# Below the lowest lane of a group there is nobody of it.
from numba import cuda, int32

FULL = 0xFFFFFFFF


@cuda.jit
def count(out, a, n):
    i = cuda.grid(1)
    value = a[i] if i < n else int32(-1)
    same = cuda.match_any_sync(FULL, value)
    if i < n and cuda.laneid == cuda.ffs(same) - 1:
        cuda.atomic.add(out, value, cuda.popc(same & cuda.lanemask_lt()))
