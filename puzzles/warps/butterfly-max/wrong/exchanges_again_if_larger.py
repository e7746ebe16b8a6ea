# verdict: barrier divergence, line 17
# The second call is made only by lanes whose partner has the larger value: the partner does not come.
import math

from numba import cuda, float32

FULL = 0xFFFFFFFF


@cuda.jit
def below_peak(out, a, n):
    i = cuda.grid(1)
    mine = a[i] if i < n else float32(-math.inf)
    peak = mine
    for step in (16, 8, 4, 2, 1):
        if cuda.shfl_xor_sync(FULL, peak, step) > peak:
            peak = cuda.shfl_xor_sync(FULL, peak, step)
    if i < n:
        out[i] = mine - peak
