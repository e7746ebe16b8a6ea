"""A tile of 32 x 33, four times over; two barriers for each quarter."""

from numba import cuda, float32

SIDE = 32
ROW = 33


@cuda.jit
def transpose(out, a, rows, columns):
    tile = cuda.shared.array((SIDE, ROW), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    for quarter in range(4):
        left = 64 * cuda.blockIdx.x + 32 * (quarter % 2)
        top = 64 * cuda.blockIdx.y + 32 * (quarter // 2)
        for k in range(ty, SIDE, 16):
            if top + k < rows and left + tx < columns:
                tile[k, tx] = a[top + k, left + tx]
        cuda.syncthreads()
        for k in range(ty, SIDE, 16):
            if left + k < columns and top + tx < rows:
                out[left + k, top + tx] = tile[tx, k]
        cuda.syncthreads()
