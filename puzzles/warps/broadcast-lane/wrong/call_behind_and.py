# verdict: barrier divergence, line 15
# Behind `and` the call is made only by lanes for which the left side holds.
from numba import cuda, float32

FULL = 0xFFFFFFFF


@cuda.jit
def rank(out, a, n):
    i = cuda.grid(1)
    first = i - cuda.laneid
    mine = a[i] if i < n else float32(0)
    smaller = 0
    for k in range(32):
        if k != cuda.laneid and cuda.shfl_sync(FULL, mine, k) < mine and first + k < n:
            smaller += 1
    if i < n:
        out[i] = smaller
