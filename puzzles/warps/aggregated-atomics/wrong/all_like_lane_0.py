# verdict: wrong answer
# Combines if all agree with lane 0; if not, only those who do are counted.
from numba import cuda, int32

FULL = 0xFFFFFFFF


@cuda.jit
def count(out, a, n):
    i = cuda.grid(1)
    value = a[i] if i < n else int32(-1)
    first = cuda.shfl_sync(FULL, value, 0)
    same = cuda.ballot_sync(FULL, value == first)
    if cuda.laneid == 0 and i < n:
        cuda.atomic.add(out, first, cuda.popc(same))
