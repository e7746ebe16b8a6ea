"""Below the peak of the warp: pairs of lanes exchange maxima until all have the same."""

import math

from numba import cuda, float32

FULL = 0xFFFFFFFF


@cuda.jit
def below_peak(out, a, n):
    i = cuda.grid(1)
    mine = a[i] if i < n else float32(-math.inf)
    peak = mine
    step = 16
    while step > 0:
        peak = max(peak, cuda.shfl_xor_sync(FULL, peak, step))
        step //= 2
    if i < n:
        out[i] = mine - peak
