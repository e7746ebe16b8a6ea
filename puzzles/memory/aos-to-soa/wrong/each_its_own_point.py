# verdict: over budget, line 16
# A tile, but each thread fills it with its own point: the same loads as before.
from numba import cuda, float32

TPB = 64
CELLS = 3 * TPB


@cuda.jit
def split(x, y, z, points, n):
    tile = cuda.shared.array(CELLS, float32)
    t = cuda.threadIdx.x
    first = cuda.blockIdx.x * CELLS
    for part in range(3):
        if first + 3 * t + part < 3 * n:
            tile[3 * t + part] = points[first + 3 * t + part]
    cuda.syncthreads()
    i = cuda.grid(1)
    if i < n:
        x[i] = tile[3 * t]
        y[i] = tile[3 * t + 1]
        z[i] = tile[3 * t + 2]
