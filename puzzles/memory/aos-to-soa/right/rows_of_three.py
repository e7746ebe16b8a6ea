"""A tile of 64 x 3; the block's numbers are counted through, and threads past the end leave after the barrier."""

import numba
from numba import cuda

TPB = 64


@cuda.jit
def split(x, y, z, points, n):
    tile = cuda.shared.array((TPB, 3), numba.float32)
    t = cuda.threadIdx.x
    first = cuda.blockIdx.x * TPB
    count = 3 * min(TPB, n - first)
    cell = t
    while cell < count:
        tile[cell // 3, cell % 3] = points[3 * first + cell]
        cell += TPB
    cuda.syncthreads()
    if first + t >= n:
        return
    x[first + t] = tile[t, 0]
    y[first + t] = tile[t, 1]
    z[first + t] = tile[t, 2]
