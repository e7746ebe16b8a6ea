"""A device function without a loop; -1 has all 32 bits set, too."""

from numba import cuda, float32


@cuda.jit(device=True)
def sum_of_warp(value):
    value += cuda.shfl_down_sync(-1, value, 16)
    value += cuda.shfl_down_sync(-1, value, 8)
    value += cuda.shfl_down_sync(-1, value, 4)
    value += cuda.shfl_down_sync(-1, value, 2)
    value += cuda.shfl_down_sync(-1, value, 1)
    return value


@cuda.jit
def warp_sum(out, a, n):
    i = cuda.grid(1)
    total = sum_of_warp(a[i] if i < n else float32(0))
    if i < n and (cuda.threadIdx.x & 31) == 0:
        out[i >> 5] = total
