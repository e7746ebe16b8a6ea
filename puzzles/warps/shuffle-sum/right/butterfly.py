"""Exchanges with the lane across: in the end every lane has the sum, and any of them may store it."""

from numba import cuda, float32

FULL = 0xFFFFFFFF


@cuda.jit
def warp_sum(out, a, n):
    i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    total = float32(0)
    if i < n:
        total = a[i]
    for bit in range(5):
        total += cuda.shfl_xor_sync(FULL, total, 1 << bit)
    if i < n and i % 32 == 0:
        out[i // 32] = total
