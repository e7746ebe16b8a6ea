"""Each warp takes eight columns of four rows: another shape with few sectors."""

from numba import cuda, float32


@cuda.jit
def matmul(out, a, b, m, n, k):
    i = cuda.grid(1)
    while i < (m + 3) // 4 * 4 * ((n + 7) // 8 * 8):
        patch = i // 32
        lane = i % 32
        across = (n + 7) // 8
        row = patch // across * 4 + lane // 8
        column = patch % across * 8 + lane % 8
        if row < m and column < n:
            total = float32(0)
            for t in range(k):
                total += a[row, t] * b[t, column]
            out[row, column] = total
        i += cuda.gridsize(1)
