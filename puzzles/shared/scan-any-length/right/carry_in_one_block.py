"""The totals are scanned by a single block that carries its sum from stretch to stretch: three launches for any n."""

import numpy as np
from numba import cuda, float32

TPB = 256


@cuda.jit(device=True)
def scan_cells(cells, t):
    step = 1
    while step < TPB:
        left = float32(0)
        if t >= step:
            left = cells[t - step]
        cuda.syncthreads()
        cells[t] += left
        cuda.syncthreads()
        step *= 2


@cuda.jit
def scan_blocks(out, totals, a, n):
    cells = cuda.shared.array(TPB, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    cells[t] = 0
    if i < n:
        cells[t] = a[i]
    cuda.syncthreads()
    scan_cells(cells, t)
    if i < n:
        out[i] = cells[t]
    if t == 0:
        totals[cuda.blockIdx.x] = cells[TPB - 1]


@cuda.jit
def scan_totals(totals, count):
    cells = cuda.shared.array(TPB, float32)
    t = cuda.threadIdx.x
    carry = float32(0)
    for first in range(0, count, TPB):
        cells[t] = totals[first + t] if first + t < count else float32(0)
        cuda.syncthreads()
        scan_cells(cells, t)
        if first + t < count:
            totals[first + t] = carry + cells[t]
        carry += cells[TPB - 1]
        cuda.syncthreads()


@cuda.jit
def add(out, totals, n):
    i = cuda.grid(1)
    if cuda.blockIdx.x == 0 or i >= n:
        return
    out[i] = totals[cuda.blockIdx.x - 1] + out[i]


def scan(out, a, n):
    blocks = -(-n // TPB)
    totals = cuda.device_array((blocks,), dtype=np.float32)
    scan_blocks[blocks, TPB](out, totals, a, n)
    scan_totals[1, TPB](totals, blocks)
    add[blocks, TPB](out, totals, n)
