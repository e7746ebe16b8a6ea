# verdict: race, line 15
# Only lane 0 has the sum of all 32; the other lanes write theirs over it.
from numba import cuda, float32

FULL = 0xFFFFFFFF


@cuda.jit
def warp_sum(out, a, n):
    i = cuda.grid(1)
    total = a[i] if i < n else float32(0)
    for step in (16, 8, 4, 2, 1):
        total += cuda.shfl_down_sync(FULL, total, step)
    if i < n:
        out[i // 32] = total
