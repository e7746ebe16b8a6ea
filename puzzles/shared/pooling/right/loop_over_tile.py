"""The tile is filled in a loop over all its cells, then summed in another."""

import numba
from numba import cuda

TPB = 64
WIDTH = 3
CELLS = TPB + WIDTH - 1


@cuda.jit
def pool(out, a, n):
    tile = cuda.shared.array(CELLS, numba.float32)
    first = cuda.blockIdx.x * TPB - (WIDTH - 1)
    for cell in range(cuda.threadIdx.x, CELLS, TPB):
        source = first + cell
        tile[cell] = a[source] if 0 <= source < n else numba.float32(0)
    cuda.syncthreads()
    i = cuda.grid(1)
    if i < n:
        total = numba.float32(0)
        for k in range(WIDTH):
            total += tile[cuda.threadIdx.x + k]
        out[i] = total
