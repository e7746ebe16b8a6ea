"""Adds up in out: right, and every step goes to global memory (only the first star)."""

from numba import cuda


@cuda.jit
def matmul(out, a, b, m, n, k):
    x, y = cuda.grid(2)
    if x < n and y < m:
        out[y, x] = 0
        for t in range(k):
            out[y, x] += a[y, t] * b[t, x]
