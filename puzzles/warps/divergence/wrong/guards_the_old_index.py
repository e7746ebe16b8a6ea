# verdict: out of bounds, line 14
# The guard asks for the thread's own number, and the element is another one.
from numba import cuda, float32

TERMS = 8


@cuda.jit
def shape(out, a, left, right, n):
    t = cuda.threadIdx.x
    side = t // 32
    i = cuda.blockIdx.x * 64 + 2 * (t % 32) + side
    if cuda.grid(1) < n:
        x = a[i]
        value = float32(0)
        if side == 0:
            for k in range(TERMS):
                value = value * x + left[k]
        else:
            for k in range(TERMS):
                value = value * x + right[k]
        out[i] = value
