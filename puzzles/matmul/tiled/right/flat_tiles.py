"""One flat shared array for both tiles, indexed by hand."""

from numba import cuda, float32

TILE = 16
CELLS = 512
B = 256


@cuda.jit
def matmul(out, a, b, m, n, k):
    cells = cuda.shared.array(CELLS, float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    mine = ty * TILE + tx
    x = cuda.blockIdx.x * cuda.blockDim.x + tx
    y = cuda.blockIdx.y * cuda.blockDim.y + ty
    total = float32(0)
    for tile in range(0, k // TILE):
        if tile > 0:
            cuda.syncthreads()
        cells[mine] = a[y, tile * TILE + tx]
        cells[B + mine] = b[tile * TILE + ty, x]
        cuda.syncthreads()
        for t in range(TILE):
            total += cells[ty * TILE + t] * cells[B + t * TILE + tx]
    out[y, x] = total
