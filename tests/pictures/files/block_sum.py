"""The sum of sixteen, folded in halves."""
from numba import cuda, float32


@cuda.jit
def block_sum(out, a):
    tile = cuda.shared.array(16, float32)

    t = cuda.threadIdx.x
    tile[t] = a[cuda.grid(1)]
    cuda.syncthreads()
    s = 8
    while s > 0:
        if t < s:
            tile[t] += tile[t + s]
        cuda.syncthreads()
        s //= 2
    if t == 0:
        out[cuda.blockIdx.x] = tile[0]
