# verdict: over budget, line 13
from numba import cuda, float32


@cuda.jit
def warp_sum(out, a, n):
    i = cuda.grid(1)
    if cuda.laneid != 0 or i >= n:
        return
    total = float32(0)
    for k in range(i, i + 32):
        if k < n:
            total += a[k]
    out[i // 32] = total
