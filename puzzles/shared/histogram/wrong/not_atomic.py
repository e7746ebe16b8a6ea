# verdict: race, line 16
from numba import cuda, int32

TPB = 128
BINS = 64


@cuda.jit
def histogram(out, a, n):
    counts = cuda.shared.array(BINS, int32)
    t = cuda.threadIdx.x
    if t < BINS:
        counts[t] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), n, cuda.gridsize(1)):
        counts[a[i]] += 1
    cuda.syncthreads()
    if t < BINS:
        cuda.atomic.add(out, t, counts[t])
