# verdict: over budget
from numba import cuda


@cuda.jit
def pool(out, a, n):
    i = cuda.grid(1)
    if i < n:
        total = a[i]
        if i >= 1:
            total += a[i - 1]
        if i >= 2:
            total += a[i - 2]
        out[i] = total
