# verdict: wrong answer
# The warps agree, but on the wrong elements: left and right take turns in a.
from numba import cuda, float32

TERMS = 8


@cuda.jit
def shape(out, a, left, right, n):
    i = cuda.grid(1)
    if i < n:
        x = a[i]
        value = float32(0)
        if cuda.threadIdx.x < 32:
            for k in range(TERMS):
                value = value * x + left[k]
        else:
            for k in range(TERMS):
                value = value * x + right[k]
        out[i] = value
