# verdict: wrong answer
# Lanes past the end take part with 0, and 0 is larger than every level.
from numba import cuda, float32

FULL = 0xFFFFFFFF


@cuda.jit
def below_peak(out, a, n):
    i = cuda.grid(1)
    mine = a[i] if i < n else float32(0)
    peak = mine
    for step in (16, 8, 4, 2, 1):
        peak = max(peak, cuda.shfl_xor_sync(FULL, peak, step))
    if i < n:
        out[i] = mine - peak
