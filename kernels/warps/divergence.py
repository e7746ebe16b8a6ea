"""Two polynomials by turns, sorted so that each warp has but one of them to compute."""

from numba import cuda, float32

TPB = 64
TERMS = 8


@cuda.jit
def shape(out, a, left, right, n):
    t = cuda.threadIdx.x
    side = t // 32
    i = cuda.blockIdx.x * TPB + 2 * (t % 32) + side
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
