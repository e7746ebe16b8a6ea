# verdict: out of bounds, line 14
# Row and column have changed places, the divisor has not.
from numba import cuda, float32


@cuda.jit
def matmul(out, a, b, m, n, k):
    i = cuda.grid(1)
    row = i // m
    column = i % m
    if i < m * n:
        total = float32(0)
        for t in range(k):
            total += a[row, t] * b[t, column]
        out[row, column] = total
