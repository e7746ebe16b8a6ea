"""Handed down to lane 0, which then tells all."""

import math

from numba import cuda, float32

FULL = 0xFFFFFFFF


@cuda.jit(device=True)
def largest(value):
    step = 16
    while step:
        value = max(value, cuda.shfl_down_sync(FULL, value, step))
        step >>= 1
    return cuda.shfl_sync(FULL, value, 0)


@cuda.jit
def below_peak(out, a, n):
    i = cuda.grid(1)
    mine = float32(-math.inf)
    if i < n:
        mine = a[i]
    peak = largest(mine)
    if i < n:
        out[i] = mine - peak
