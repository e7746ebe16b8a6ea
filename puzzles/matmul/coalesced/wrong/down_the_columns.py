# verdict: over budget, line 14
# The starter as it is.
from numba import cuda, float32


@cuda.jit
def matmul(out, a, b, m, n, k):
    i = cuda.grid(1)
    row = i % m
    column = i // m
    if column < n:
        total = float32(0)
        for t in range(k):
            total += a[row, t] * b[t, column]
        out[row, column] = total
