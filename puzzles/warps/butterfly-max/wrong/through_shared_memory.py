# verdict: over budget
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
    cuda.syncwarp()
    for step in (16, 8, 4, 2, 1):
        other = peaks[t ^ step]
        cuda.syncwarp()
        peaks[t] = max(peaks[t], other)
        cuda.syncwarp()
    if i < n:
        out[i] = mine - peaks[t]
