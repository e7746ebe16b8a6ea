# verdict: race, line 22
# Both warps take the even elements, and the odd ones are left over.
from numba import cuda, float32

TERMS = 8


@cuda.jit
def shape(out, a, left, right, n):
    t = cuda.threadIdx.x
    side = t // 32
    i = cuda.blockIdx.x * 64 + 2 * (t % 32)
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
