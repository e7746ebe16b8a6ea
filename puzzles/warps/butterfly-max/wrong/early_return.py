# verdict: uninitialised read, line 16
# The partner of a lane may be one that has left.
from numba import cuda

FULL = 0xFFFFFFFF


@cuda.jit
def below_peak(out, a, n):
    i = cuda.grid(1)
    if i >= n:
        return
    mine = a[i]
    peak = mine
    for step in (16, 8, 4, 2, 1):
        peak = max(peak, cuda.shfl_xor_sync(FULL, peak, step))
    out[i] = mine - peak
