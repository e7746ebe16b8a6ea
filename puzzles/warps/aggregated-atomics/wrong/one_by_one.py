# verdict: over budget, line 9
from numba import cuda


@cuda.jit
def count(out, a, n):
    i = cuda.grid(1)
    if i < n:
        cuda.atomic.add(out, a[i], 1)
