"""Threads without an output leave after the barrier; the tile is not shifted but wraps its halo at the end."""

from numba import cuda, float32

TPB = 64
CELLS = TPB + 2


@cuda.jit
def pool(out, a, n):
    tile = cuda.shared.array(CELLS, float32)
    t = cuda.threadIdx.x
    i = cuda.blockIdx.x * cuda.blockDim.x + t
    start = cuda.blockIdx.x * cuda.blockDim.x
    if i < n:
        tile[t] = a[i]
    if t == 0:
        tile[TPB] = a[start - 1] if start > 0 else 0
    elif t == 1:
        tile[TPB + 1] = a[start - 2] if start > 0 else 0
    cuda.syncthreads()
    if i >= n:
        return
    left = tile[t - 1] if t >= 1 else tile[TPB]
    far_left = tile[t - 2] if t >= 2 else tile[TPB + 1 - t]
    out[i] = far_left + left + tile[t]
