# verdict: race, line 20
# In shared memory somebody must wait: the partner may have changed its cell already.
import math

from numba import cuda, float32

TPB = 128


@cuda.jit
def below_peak(out, a, n):
    peaks = cuda.shared.array(TPB, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    mine = a[i] if i < n else float32(-math.inf)
    peaks[t] = mine
    for step in (16, 8, 4, 2, 1):
        cuda.syncwarp()
        other = peaks[t ^ step]
        peaks[t] = max(peaks[t], other)
    if i < n:
        out[i] = mine - peaks[t]
