# verdict: wrong answer
# Each lane of the group adds the size of the group.
from numba import cuda, int32

FULL = 0xFFFFFFFF


@cuda.jit
def count(out, a, n):
    i = cuda.grid(1)
    value = a[i] if i < n else int32(-1)
    same = cuda.match_any_sync(FULL, value)
    if i < n:
        cuda.atomic.add(out, value, cuda.popc(same))
