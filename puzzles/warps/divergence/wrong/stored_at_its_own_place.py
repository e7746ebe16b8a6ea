# verdict: wrong answer
# Loads the right element, and stores where the thread would have been without the sorting.
from numba import cuda, float32

TPB = 64
TERMS = 8


@cuda.jit
def shape(out, a, left, right, n):
    t = cuda.threadIdx.x
    side = t // 32
    i = cuda.blockIdx.x * TPB + 2 * (t % 32) + side
    value = float32(0)
    if i < n:
        x = a[i]
        if side == 0:
            for k in range(TERMS):
                value = value * x + left[k]
        else:
            for k in range(TERMS):
                value = value * x + right[k]
    if cuda.grid(1) < n:
        out[cuda.grid(1)] = value
