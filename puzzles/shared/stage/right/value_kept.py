"""Keeps its own element in a variable and the tile for the others; leaves early, after the barrier."""

from numba import cuda, float32

TPB = 64


@cuda.jit
def mirror(out, a, n):
    tile = cuda.shared.array(TPB, float32)
    t = cuda.threadIdx.x
    start = cuda.blockIdx.x * cuda.blockDim.x
    mine = float32(0)
    if start + t < n:
        mine = a[start + t]
        tile[t] = mine
    cuda.syncthreads()
    if start + t >= n:
        return
    last = min(start + TPB, n) - 1
    out[start + t] = mine - tile[last - (start + t)]
