# verdict: over budget
# Sorted, but in groups of 16: each warp has both kinds.
from numba import cuda, float32

TERMS = 8


@cuda.jit
def shape(out, a, left, right, n):
    t = cuda.threadIdx.x
    side = t // 16 % 2
    i = cuda.blockIdx.x * 64 + t // 32 * 32 + 2 * (t % 16) + side
    if i < n:
        x = a[i]
        value = float32(0)
        if side == 0:
            for k in range(TERMS):
                value = value * x + left[k]
        else:
            for k in range(TERMS):
                value = value * x + right[k]
        out[i] = value
