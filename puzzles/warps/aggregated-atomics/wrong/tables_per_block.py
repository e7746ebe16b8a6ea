# verdict: over budget
# Few atomics in global memory, but still one per element in the block's own.
from numba import cuda, int32

BINS = 64


@cuda.jit
def count(out, a, n):
    counts = cuda.shared.array(BINS, int32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    if t < BINS:
        counts[t] = 0
    cuda.syncthreads()
    if i < n:
        cuda.atomic.add(counts, a[i], 1)
    cuda.syncthreads()
    if t < BINS and counts[t] > 0:
        cuda.atomic.add(out, t, counts[t])
