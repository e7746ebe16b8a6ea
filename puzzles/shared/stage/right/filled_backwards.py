"""Each thread puts its element where its mirror thread will look, and reads its own cell."""

from numba import cuda, float32

TPB = 64


@cuda.jit
def mirror(out, a, n):
    tile = cuda.shared.array(shape=(TPB,), dtype=float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    size = TPB
    if (cuda.blockIdx.x + 1) * TPB > n:
        size = n % TPB
    if t < size:
        tile[size - 1 - t] = a[i]
    cuda.syncthreads()
    if t < size:
        out[i] = tile[size - 1 - t] - tile[t]
