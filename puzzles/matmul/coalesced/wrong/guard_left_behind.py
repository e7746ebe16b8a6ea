# verdict: out of bounds, line 14
# The guard asks about the column, which is always below n now.
from numba import cuda, float32


@cuda.jit
def matmul(out, a, b, m, n, k):
    i = cuda.grid(1)
    row = i // n
    column = i % n
    if column < n:
        total = float32(0)
        for t in range(k):
            total += a[row, t] * b[t, column]
        out[row, column] = total
