# verdict: uninitialised read, line 13
from numba import cuda, int32

TPB = 128
BINS = 64


@cuda.jit
def histogram(out, a, n):
    counts = cuda.shared.array(BINS, int32)
    t = cuda.threadIdx.x
    for i in range(cuda.grid(1), n, cuda.gridsize(1)):
        cuda.atomic.add(counts, a[i], 1)
    cuda.syncthreads()
    if t < BINS:
        cuda.atomic.add(out, t, counts[t])
