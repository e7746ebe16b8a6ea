# verdict: out of bounds, line 14
# The lanes past the end are a group, too, and its leader adds to out[-1].
from numba import cuda, int32

FULL = 0xFFFFFFFF


@cuda.jit
def count(out, a, n):
    i = cuda.grid(1)
    value = a[i] if i < n else int32(-1)
    same = cuda.match_any_sync(FULL, value)
    if cuda.laneid == cuda.ffs(same) - 1:
        cuda.atomic.add(out, value, cuda.popc(same))
