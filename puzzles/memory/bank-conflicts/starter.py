"""Sum rows, a thread per row, by a shared tile. Right, but slow."""

from numba import cuda, float32

TPB = 64  # threads per block, one for each of its rows
WIDTH = 32  # columns that are in the tile at a time


@cuda.jit
def sum_rows(out, a, rows, columns):
    tile = cuda.shared.array((TPB, WIDTH), float32)
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    first = cuda.blockIdx.x * TPB  # the block's first row
    total = float32(0)
    for left in range(0, columns, WIDTH):
        # the two warps take turns with the rows: side by side in a
        for r in range(warp, TPB, 2):
            inside = first + r < rows and left + lane < columns
            tile[r, lane] = a[first + r, left + lane] if inside else 0
        cuda.syncthreads()
        # each thread adds its row: which banks does a warp want here?
        for c in range(WIDTH):
            total += tile[t, c]
        cuda.syncthreads()
    if first + t < rows:
        out[first + t] = total
