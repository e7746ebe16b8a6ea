"""Matrix product, right and slow: deal the elements of out to the threads so that a warp loads neighbours."""

from numba import cuda, float32


@cuda.jit
def matmul(out, a, b, m, n, k):
    i = cuda.grid(1)  # 0 to m * n - 1, and a few threads too many
    row = i % m  # neighbouring threads take neighbouring rows:
    column = i // m  # which loads of a and b does that bring together in a warp?
    if column < n:
        total = float32(0)
        for t in range(k):
            total += a[row, t] * b[t, column]
        out[row, column] = total
