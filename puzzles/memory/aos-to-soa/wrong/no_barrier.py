# verdict: race, line 19
# The three numbers of a point were loaded by three other threads.
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
    i = cuda.grid(1)
    if i < n:
        x[i] = tile[3 * t]
        y[i] = tile[3 * t + 1]
        z[i] = tile[3 * t + 2]
