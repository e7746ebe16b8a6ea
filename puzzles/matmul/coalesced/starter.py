"""A right and slow product: deal out so that warps load neighbours."""

from numba import cuda, float32


@cuda.jit
def matmul(out, a, b, m, n, k):
    i = cuda.grid(1)  # 0 to m * n - 1, and a few threads too many
    # Neighbouring threads take neighbouring rows:
    # which elements of a and which of b does a warp load together?
    row = i % m
    column = i // m
    if column < n:
        total = float32(0)
        for t in range(k):
            total += a[row, t] * b[t, column]
        out[row, column] = total
