# verdict: not written
# The first half of all threads goes left; an odd n has one element more on the left.
from numba import cuda, float32

TERMS = 8


@cuda.jit
def shape(out, a, left, right, n):
    t = cuda.grid(1)
    half = n // 2
    if t < half:
        x = a[2 * t]
        value = float32(0)
        for k in range(TERMS):
            value = value * x + left[k]
        out[2 * t] = value
    elif t < 2 * half:
        x = a[2 * (t - half) + 1]
        value = float32(0)
        for k in range(TERMS):
            value = value * x + right[k]
        out[2 * (t - half) + 1] = value
