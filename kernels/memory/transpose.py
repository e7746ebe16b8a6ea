"""Transpose by tiles of 64 x 64 in shared memory, padded by a column; unsigned 32-bit indices keep addresses cheap."""

from numba import cuda, float32, uint32

TILE = 64
ROW = TILE + 1
ACROSS, DOWN = 32, 16  # threads of a block


@cuda.jit
def transpose(out, a, rows, columns):
    tile = cuda.shared.array((TILE, ROW), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    left, top = cuda.blockIdx.x * TILE, cuda.blockIdx.y * TILE
    height, width = uint32(rows), uint32(columns)
    for down in range(0, TILE, DOWN):
        for across in range(0, TILE, ACROSS):
            r, c = uint32(down + ty), uint32(across + tx)
            y, x = uint32(top + r), uint32(left + c)
            if y < height and x < width:
                tile[r, c] = a[y, x]
    cuda.syncthreads()
    for down in range(0, TILE, DOWN):
        for across in range(0, TILE, ACROSS):
            r, c = uint32(down + ty), uint32(across + tx)
            y, x = uint32(left + r), uint32(top + c)
            if y < width and x < height:
                out[y, x] = tile[c, r]
