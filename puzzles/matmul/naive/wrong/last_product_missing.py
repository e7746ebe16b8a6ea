# verdict: wrong answer, line 12
from numba import cuda, float32


@cuda.jit
def matmul(out, a, b, m, n, k):
    x, y = cuda.grid(2)
    if x < n and y < m:
        total = float32(0)
        for t in range(k - 1):
            total += a[y, t] * b[t, x]
        out[y, x] = total
