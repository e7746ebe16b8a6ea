"""The barrier stands first in each step; one more after the last is not needed, for thread 0 did that one itself."""

from numba import cuda, float32

TPB = 128


@cuda.jit
def block_max(out, a, n):
    tile = cuda.shared.array(TPB, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    tile[t] = a[i] if i < n else a[n - 1]
    step = TPB // 2
    while step > 0:
        cuda.syncthreads()
        if t < step and tile[t + step] > tile[t]:
            tile[t] = tile[t + step]
        step //= 2
    if t == 0:
        out[cuda.blockIdx.x] = tile[0]


ANSWER = (13, "race")
