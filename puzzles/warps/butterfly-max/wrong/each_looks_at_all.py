# verdict: over budget, line 14
from numba import cuda


@cuda.jit
def below_peak(out, a, n):
    i = cuda.grid(1)
    if i >= n:
        return
    first = i // 32 * 32
    mine = a[i]
    peak = mine
    for k in range(first, min(first + 32, n)):
        peak = max(peak, a[k])
    out[i] = mine - peak
