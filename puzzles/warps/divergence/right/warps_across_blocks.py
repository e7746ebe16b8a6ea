"""Even warps of the whole grid go left; a view of every second element has indices without gaps."""

from numba import cuda, float32

TERMS = 8


@cuda.jit(device=True)
def one_side(out, a, coefficients, j):
    if j < a.shape[0]:
        x = a[j]
        value = float32(0)
        for k in range(TERMS):
            value = value * x + coefficients[k]
        out[j] = value


@cuda.jit
def shape(out, a, left, right, n):
    warp, lane = cuda.grid(1) // 32, cuda.grid(1) % 32
    j = warp // 2 * 32 + lane
    if warp % 2 == 0:
        one_side(out[0::2], a[0::2], left, j)
    else:
        one_side(out[1::2], a[1::2], right, j)
