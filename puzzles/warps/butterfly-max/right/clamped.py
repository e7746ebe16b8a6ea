"""Lanes past the end take the last element once more; the steps grow, written as bits."""

from numba import cuda

FULL = 0xFFFFFFFF


@cuda.jit
def below_peak(out, a, n):
    i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    mine = a[min(i, n - 1)]
    peak = mine
    for bit in range(5):
        other = cuda.shfl_xor_sync(FULL, peak, 1 << bit)
        if other > peak:
            peak = other
    if i >= n:
        return
    out[i] = mine - peak
