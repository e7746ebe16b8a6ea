# verdict: barrier divergence, line 13
from numba import cuda

FULL = 0xFFFFFFFF


@cuda.jit
def below_peak(out, a, n):
    i = cuda.grid(1)
    if i < n:
        peak = a[i]
        for step in (16, 8, 4, 2, 1):
            peak = max(peak, cuda.shfl_xor_sync(FULL, peak, step))
        out[i] = a[i] - peak
