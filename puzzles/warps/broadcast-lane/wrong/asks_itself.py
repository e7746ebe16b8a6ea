# verdict: wrong answer
# The lane asked is the own one, in every round.
from numba import cuda, float32

FULL = 0xFFFFFFFF


@cuda.jit
def rank(out, a, n):
    i = cuda.grid(1)
    lane = cuda.laneid
    mine = a[i] if i < n else float32(0)
    smaller = 0
    for k in range(32):
        shown = cuda.shfl_sync(FULL, mine, lane)
        if i - lane + k < n and shown < mine:
            smaller += 1
    if i < n:
        out[i] = smaller
