# verdict: barrier divergence, line 16
# The loop ends at n, but lanes past the end never enter it.
from numba import cuda

FULL = 0xFFFFFFFF


@cuda.jit
def rank(out, a, n):
    i = cuda.grid(1)
    first = i - cuda.laneid
    if i < n:
        mine = a[i]
        smaller = 0
        for k in range(min(32, n - first)):
            if cuda.shfl_sync(FULL, mine, k) < mine:
                smaller += 1
        out[i] = smaller
