# verdict: over budget
from numba import cuda, float32


@cuda.jit
def matmul(out, a, b, m, n, k):
    x, y = cuda.grid(2)
    if y < m and x < n:
        total = float32(0)
        for t in range(k):
            total += a[y, t] * b[t, x]
        out[y, x] = total
