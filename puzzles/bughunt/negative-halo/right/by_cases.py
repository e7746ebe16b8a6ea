"""The halo is filled by two threads of its own, each with its own edge."""

from numba import cuda, float32

TPB = 64
CELLS = TPB + 2


@cuda.jit
def smooth(out, a, n):
    tile = cuda.shared.array(CELLS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    if i < n:
        tile[t + 1] = a[i]
        if t == 0:
            tile[0] = a[i - 1] if i > 0 else a[0]
        if t == TPB - 1 or i == n - 1:
            tile[t + 2] = a[i + 1] if i + 1 < n else a[i]
    cuda.syncthreads()
    if i < n:
        out[i] = (tile[t] + tile[t + 1] + tile[t + 2]) / float32(3)


ANSWER = (13, "out of bounds")
