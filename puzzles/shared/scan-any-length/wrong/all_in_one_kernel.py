# verdict: race, line 27
import numpy as np
from numba import cuda, float32

TPB = 64


@cuda.jit
def scan_all(out, totals, a, n):
    sums = cuda.shared.array(TPB, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    sums[t] = a[i] if i < n else float32(0)
    cuda.syncthreads()
    step = 1
    while step < TPB:
        left = sums[t - step] if t >= step else float32(0)
        cuda.syncthreads()
        sums[t] += left
        cuda.syncthreads()
        step *= 2
    if t == TPB - 1:
        totals[cuda.blockIdx.x] = sums[t]
    cuda.syncthreads()
    before = float32(0)
    for block in range(cuda.blockIdx.x):
        before += totals[block]
    if i < n:
        out[i] = before + sums[t]


def scan(out, a, n):
    blocks = (n + TPB - 1) // TPB
    totals = cuda.to_device(np.zeros(blocks, np.float32))
    scan_all[blocks, TPB](out, totals, a, n)
