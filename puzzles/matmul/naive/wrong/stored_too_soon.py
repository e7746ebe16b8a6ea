# verdict: wrong answer, line 11
# Stores each product over the one before: only the last remains.
from numba import cuda


@cuda.jit
def matmul(out, a, b, m, n, k):
    x, y = cuda.grid(2)
    if x < n and y < m:
        for t in range(k):
            out[y, x] = a[y, t] * b[t, x]
