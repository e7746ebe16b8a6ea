"""The first blocks do all left elements, the others all right ones; two warps at most are mixed."""

from numba import cuda, float32

TERMS = 8


@cuda.jit
def shape(out, a, left, right, n):
    t = cuda.grid(1)
    lefts = (n + 1) // 2
    if t >= n:
        return
    i = 2 * t if t < lefts else 2 * (t - lefts) + 1
    x = a[i]
    value = float32(0)
    k = 0
    if t < lefts:
        while k < TERMS:
            value = value * x + left[k]
            k += 1
    else:
        while k < TERMS:
            value = value * x + right[k]
            k += 1
    out[i] = value
