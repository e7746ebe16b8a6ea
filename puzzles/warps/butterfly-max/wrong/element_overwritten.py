# verdict: wrong answer
# a[i] is gone: what is left in mine is the maximum.
import math

from numba import cuda, float32

FULL = 0xFFFFFFFF


@cuda.jit
def below_peak(out, a, n):
    i = cuda.grid(1)
    mine = a[i] if i < n else float32(-math.inf)
    for step in (16, 8, 4, 2, 1):
        mine = max(mine, cuda.shfl_xor_sync(FULL, mine, step))
    if i < n:
        out[i] = mine
