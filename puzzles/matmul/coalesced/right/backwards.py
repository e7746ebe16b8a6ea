"""Row by row from the last element, with the guard first."""

from numba import cuda, float32


@cuda.jit
def matmul(out, a, b, m, n, k):
    i = m * n - 1 - cuda.grid(1)
    if i < 0:
        return
    row = i // n
    column = i - row * n
    total = float32(0)
    t = 0
    while t < k:
        total += a[row, t] * b[t, column]
        t += 1
    out[row, column] = total
