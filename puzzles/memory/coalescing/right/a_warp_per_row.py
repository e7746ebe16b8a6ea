"""The two warps of the block take turns with its rows."""

from numba import cuda

ROWS = 64


@cuda.jit
def scale_rows(out, a, factors, rows, columns):
    warp, lane = cuda.threadIdx.x // 32, cuda.threadIdx.x % 32
    row = cuda.blockIdx.x * ROWS + warp
    end = min(rows, (cuda.blockIdx.x + 1) * ROWS)
    while row < end:
        factor = factors[row]
        column = lane
        while column < columns:
            out[row, column] = a[row, column] * factor
            column += 32
        row += 2
