# verdict: uninitialised read
# 64 threads load 64 numbers; there are 192.
from numba import cuda, float32

TPB = 64
CELLS = 3 * TPB


@cuda.jit
def split(x, y, z, points, n):
    tile = cuda.shared.array(CELLS, float32)
    t = cuda.threadIdx.x
    first = cuda.blockIdx.x * CELLS
    if first + t < 3 * n:
        tile[t] = points[first + t]
    cuda.syncthreads()
    i = cuda.grid(1)
    if i < n:
        x[i] = tile[3 * t]
        y[i] = tile[3 * t + 1]
        z[i] = tile[3 * t + 2]
