"""Two polynomials by turns: left for even i, right for odd i."""

from numba import cuda, float32

TPB = 64  # threads per block: two warps
TERMS = 8


# It is right, but every warp goes through both branches.
@cuda.jit
def shape(out, a, left, right, n):
    i = cuda.grid(1)  # which element should this thread do?
    if i < n:
        x = a[i]
        value = float32(0)
        if i % 2 == 0:
            for k in range(TERMS):
                value = value * x + left[k]
        else:
            for k in range(TERMS):
                value = value * x + right[k]
        out[i] = value
