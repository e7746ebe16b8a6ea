# verdict: not written
# The grid is cut with x along the columns: with x as the row, wide matrices are not covered.
from numba import cuda, float32


@cuda.jit
def matmul(out, a, b, m, n, k):
    i, j = cuda.grid(2)
    if i < m and j < n:
        total = float32(0)
        for t in range(k):
            total += a[i, t] * b[t, j]
        out[i, j] = total
