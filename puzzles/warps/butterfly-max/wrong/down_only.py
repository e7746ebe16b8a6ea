# verdict: wrong answer
# Handed down, the maximum is in lane 0; the others know a part of the warp.
import math

from numba import cuda, float32

FULL = 0xFFFFFFFF


@cuda.jit
def below_peak(out, a, n):
    i = cuda.grid(1)
    mine = a[i] if i < n else float32(-math.inf)
    peak = mine
    for step in (16, 8, 4, 2, 1):
        peak = max(peak, cuda.shfl_down_sync(FULL, peak, step))
    if i < n:
        out[i] = mine - peak
