"""The rows of a block lie one after another, so its elements are numbered through: no step is short, but the last."""

from numba import cuda

TPB = 64


@cuda.jit
def scale_rows(out, a, factors, rows, columns):
    first = cuda.blockIdx.x * TPB
    own = min(TPB, rows - first) * columns
    for i in range(cuda.threadIdx.x, own, cuda.blockDim.x):
        row, column = first + i // columns, i % columns
        out[row, column] = factors[row] * a[row, column]
