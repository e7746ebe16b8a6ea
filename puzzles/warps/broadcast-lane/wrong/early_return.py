# verdict: uninitialised read, line 16
# Lanes that have left are asked all the same; that their answer is not counted comes too late.
from numba import cuda

FULL = 0xFFFFFFFF


@cuda.jit
def rank(out, a, n):
    i = cuda.grid(1)
    if i >= n:
        return
    mine = a[i]
    smaller = 0
    for k in range(32):
        shown = cuda.shfl_sync(FULL, mine, k)
        if i - cuda.laneid + k < n and shown < mine:
            smaller += 1
    out[i] = smaller
