# verdict: not written
# Lane 0 is not thread 0: each of the block's four warps has a lane 0.
from numba import cuda, float32

FULL = 0xFFFFFFFF


@cuda.jit
def warp_sum(out, a, n):
    i = cuda.grid(1)
    total = a[i] if i < n else float32(0)
    for step in (16, 8, 4, 2, 1):
        total += cuda.shfl_down_sync(FULL, total, step)
    if cuda.threadIdx.x == 0 and i < n:
        out[i // 32] = total
