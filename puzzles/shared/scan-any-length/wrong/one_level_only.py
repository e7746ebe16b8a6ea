# verdict: wrong answer
import numpy as np
from numba import cuda, float32

TPB = 64


@cuda.jit
def scan_blocks(out, totals, a, n):
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
    if i < n:
        out[i] = sums[t]
    if t == TPB - 1:
        totals[cuda.blockIdx.x] = sums[t]


@cuda.jit
def add_before(out, before, n):
    i = cuda.grid(1)
    if cuda.blockIdx.x > 0 and i < n:
        out[i] += before[cuda.blockIdx.x - 1]


def scan(out, a, n):
    blocks = (n + TPB - 1) // TPB
    totals = cuda.device_array(blocks, np.float32)
    before = cuda.device_array(blocks, np.float32)
    unused = cuda.device_array(blocks, np.float32)
    scan_blocks[blocks, TPB](out, totals, a, n)
    scan_blocks[(blocks + TPB - 1) // TPB, TPB](before, unused, totals, blocks)
    add_before[blocks, TPB](out, before, n)
