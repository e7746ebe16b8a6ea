# verdict: uninitialised read, line 21
# Reads the tile as if all x came first, then all y and all z.
from numba import cuda, float32

TPB = 64
CELLS = 3 * TPB


@cuda.jit
def split(x, y, z, points, n):
    tile = cuda.shared.array(CELLS, float32)
    t = cuda.threadIdx.x
    first = cuda.blockIdx.x * CELLS
    for cell in range(t, CELLS, TPB):
        if first + cell < 3 * n:
            tile[cell] = points[first + cell]
    cuda.syncthreads()
    i = cuda.grid(1)
    if i < n:
        x[i] = tile[t]
        y[i] = tile[t + TPB]
        z[i] = tile[t + 2 * TPB]
