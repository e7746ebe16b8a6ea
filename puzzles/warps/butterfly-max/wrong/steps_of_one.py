# verdict: wrong answer
# 1 to 5 are five steps, but they flip only three bits of the lane's number.
import math

from numba import cuda, float32

FULL = 0xFFFFFFFF


@cuda.jit
def below_peak(out, a, n):
    i = cuda.grid(1)
    mine = a[i] if i < n else float32(-math.inf)
    peak = mine
    for step in range(1, 6):
        peak = max(peak, cuda.shfl_xor_sync(FULL, peak, step))
    if i < n:
        out[i] = mine - peak
