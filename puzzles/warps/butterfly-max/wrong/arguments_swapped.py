# verdict: barrier divergence, line 16
# The mask comes first: here it is 16, which names lane 4 and no other.
import math

from numba import cuda, float32

FULL = 0xFFFFFFFF


@cuda.jit
def below_peak(out, a, n):
    i = cuda.grid(1)
    mine = a[i] if i < n else float32(-math.inf)
    peak = mine
    for step in (16, 8, 4, 2, 1):
        peak = max(peak, cuda.shfl_xor_sync(step, peak, FULL))
    if i < n:
        out[i] = mine - peak
