# verdict: wrong answer
# 8, 4, 2, 1 cover 16 lanes: each half of the warp has a maximum of its own.
import math

from numba import cuda, float32

FULL = 0xFFFFFFFF


@cuda.jit
def below_peak(out, a, n):
    i = cuda.grid(1)
    mine = a[i] if i < n else float32(-math.inf)
    peak = mine
    step = 8
    while step > 0:
        peak = max(peak, cuda.shfl_xor_sync(FULL, peak, step))
        step //= 2
    if i < n:
        out[i] = mine - peak
