"""Sums first: a tree gives each block's total, their exclusive scan the start of each block, then blocks scan once."""

import numpy as np
from numba import cuda, float32

TPB = 128


@cuda.jit
def block_totals(totals, a, n):
    cells = cuda.shared.array(TPB, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    cells[t] = a[i] if i < n else float32(0)
    half = TPB // 2
    while half > 0:
        cuda.syncthreads()
        if t < half:
            cells[t] += cells[t + half]
        half //= 2
    if t == 0:
        totals[cuda.blockIdx.x] = cells[0]


@cuda.jit
def scan_from(out, a, starts, n):
    cells = cuda.shared.array((2, TPB), float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    total = a[i] if i < n else float32(0)
    if t == 0 and cuda.blockIdx.x > 0:
        total += starts[cuda.blockIdx.x - 1]
    row = 0
    step = 1
    while step < TPB:
        cells[row, t] = total
        cuda.syncthreads()
        if t >= step:
            total += cells[row, t - step]
        row = 1 - row
        step *= 2
    if i < n:
        out[i] = total


def scan(out, a, n):
    blocks = (n + TPB - 1) // TPB
    starts = cuda.device_array(blocks, np.float32)
    if blocks > 1:
        totals = cuda.device_array(blocks, np.float32)
        block_totals[blocks, TPB](totals, a, n)
        scan(starts, totals, blocks)
    scan_from[blocks, TPB](out, a, starts, n)
