# verdict: wrong answer
# Lanes without an element show 0, which is smaller than many.
from numba import cuda, float32

FULL = 0xFFFFFFFF


@cuda.jit
def rank(out, a, n):
    i = cuda.grid(1)
    mine = a[i] if i < n else float32(0)
    smaller = 0
    for k in range(32):
        if cuda.shfl_sync(FULL, mine, k) < mine:
            smaller += 1
    if i < n:
        out[i] = smaller
