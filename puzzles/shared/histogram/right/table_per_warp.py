"""A table for each of the four warps; each block takes one stretch of the input."""

from numba import cuda, int32

TPB = 128
BINS = 64
WARPS = 4


@cuda.jit
def histogram(out, a, n):
    counts = cuda.shared.array((WARPS, BINS), int32)
    t = cuda.threadIdx.x
    warp = t // 32
    for cell in range(t, WARPS * BINS, TPB):
        counts[cell // BINS, cell % BINS] = 0
    cuda.syncthreads()
    stretch = (n + cuda.gridDim.x - 1) // cuda.gridDim.x
    first = cuda.blockIdx.x * stretch
    for i in range(first + t, min(n, first + stretch), TPB):
        cuda.atomic.add(counts, (warp, a[i]), 1)
    cuda.syncthreads()
    if t >= BINS:
        return
    total = int32(0)
    for w in range(WARPS):
        total += counts[w, t]
    cuda.atomic.add(out, t, total)
