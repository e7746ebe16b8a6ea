# verdict: race, line 15 or 16
# Nobody waits in vain any more, since nobody waits.
from numba import cuda, float32

TPB = 64


@cuda.jit
def block_scan(out, a, n):
    tile = cuda.shared.array(TPB, float32)
    t, i, step = cuda.threadIdx.x, cuda.grid(1), 1
    tile[t] = a[min(i, n - 1)]
    cuda.syncthreads()
    while step <= t:
        left = tile[t - step]
        tile[t] += left
        step *= 2
    if i < n:
        out[i] = tile[t]


ANSWER = (14, "barrier divergence")
