# verdict: wrong answer
# Lanes past the end hold 0, which is a value like any other.
from numba import cuda, int32

FULL = 0xFFFFFFFF


@cuda.jit
def count(out, a, n):
    i = cuda.grid(1)
    value = a[i] if i < n else int32(0)
    same = cuda.match_any_sync(FULL, value)
    if cuda.laneid == cuda.ffs(same) - 1:
        cuda.atomic.add(out, value, cuda.popc(same))
