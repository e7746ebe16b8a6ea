# verdict: out of bounds, line 10
# What * does in NumPy, and not what @ does.
from numba import cuda


@cuda.jit
def matmul(out, a, b, m, n, k):
    x, y = cuda.grid(2)
    if x < n and y < m:
        out[y, x] = a[y, x] * b[y, x]
