"""One warp of the block does a pair per thread, left then right; nobody disagrees, and the other warp goes home."""

from numba import cuda, float32

TERMS = 8


@cuda.jit(device=True)
def polynomial(x, coefficients):
    value = float32(0)
    for k in range(TERMS):
        value = value * x + coefficients[k]
    return value


@cuda.jit
def shape(out, a, left, right, n):
    t = cuda.threadIdx.x
    if t >= 32:
        return
    i = cuda.blockIdx.x * 64 + 2 * t
    if i < n:
        out[i] = polynomial(a[i], left)
    if i + 1 < n:
        out[i + 1] = polynomial(a[i + 1], right)
