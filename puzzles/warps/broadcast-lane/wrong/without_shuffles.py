# verdict: over budget, line 14
from numba import cuda


@cuda.jit
def rank(out, a, n):
    i = cuda.grid(1)
    if i >= n:
        return
    first = i // 32 * 32
    mine = a[i]
    smaller = 0
    for k in range(first, min(first + 32, n)):
        if a[k] < mine:
            smaller += 1
    out[i] = smaller
