"""One shared array: the weights stand in front of the tile. The last threads fetch the halo."""

from numba import cuda, float32

TPB = 64
CELLS = 80
TILE = 8


@cuda.jit(device=True)
def element(a, i, n):
    if i < n:
        return a[i]
    return float32(0)


@cuda.jit
def conv(out, a, w, n, k):
    cells = cuda.shared.array(CELLS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    if t < k:
        cells[t] = w[t]
    cells[TILE + t] = element(a, i, n)
    if t >= TPB - (k - 1):
        cells[TILE + t + k - 1] = element(a, i + k - 1, n)
    cuda.syncthreads()
    if i < n:
        total = cells[0] * cells[TILE + t]
        for j in range(1, k):
            total += cells[j] * cells[TILE + t + j]
        out[i] = total
