"""Scale every row by a factor of its own; the threads of a block walk along each row side by side."""

from numba import cuda

TPB = 64


@cuda.jit
def scale_rows(out, a, factors, rows, columns):
    t = cuda.threadIdx.x
    first = cuda.blockIdx.x * TPB
    for row in range(first, min(first + TPB, rows)):
        factor = factors[row]
        for column in range(t, columns, TPB):
            out[row, column] = factor * a[row, column]
