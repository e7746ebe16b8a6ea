"""The sum of each warp: out[w] = a[32 w] + ... + a[32 w + 31]."""

from numba import cuda, float32

FULL = 0xFFFFFFFF  # a bit for each of the 32 lanes


@cuda.jit
def warp_sum(out, a, n):
    i = cuda.grid(1)
    # 1. each lane begins with its element; and past the end of a?
    total = float32(0)
    # 2. add the total of the lane 16, 8, 4, 2 and 1 places higher:
    #    cuda.shfl_down_sync(FULL, total, step)
    # 3. one lane of each warp stores the sum
