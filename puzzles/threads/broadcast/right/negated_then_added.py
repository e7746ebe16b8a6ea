"""Through out and back: right, with one load more (only the first star)."""

from numba import cuda


@cuda.jit
def table(out, a, b, rows, columns):
    thread = cuda.threadIdx.x + cuda.threadIdx.y * cuda.blockDim.x
    while thread < rows * columns:
        row = thread // columns
        column = thread % columns
        out[row, column] = -b[column]
        out[row, column] += a[row]
        thread += cuda.blockDim.x * cuda.blockDim.y
