# verdict: wrong answer, line 15
# The loads go along the rows now, the store still goes down the columns.
from numba import cuda, float32


@cuda.jit
def matmul(out, a, b, m, n, k):
    i = cuda.grid(1)
    row = i // n
    column = i % n
    if row < m:
        total = float32(0)
        for t in range(k):
            total += a[row, t] * b[t, column]
        out[i % m, i // m] = total
