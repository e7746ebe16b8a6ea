# verdict: uninitialised read, line 11
# Adds to what lies in out when the kernel starts, which is nothing useful.
from numba import cuda


@cuda.jit
def matmul(out, a, b, m, n, k):
    x, y = cuda.grid(2)
    if x < n and y < m:
        for t in range(k):
            out[y, x] += a[y, t] * b[t, x]
