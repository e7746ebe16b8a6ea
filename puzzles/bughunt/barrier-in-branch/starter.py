"""Running sums of each block of 64. There is a bug in it."""

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
        cuda.syncthreads()
        tile[t] += left
        cuda.syncthreads()
        step *= 2
    if i < n:
        out[i] = tile[t]


# the bug: (line, "kind"), line as first numbered
ANSWER = None
