# verdict: over budget, line 14
# Each thread starts at its own column and does all that follow: right, side by side, and dozens of times over.
from numba import cuda

TPB = 64


@cuda.jit
def scale_rows(out, a, factors, rows, columns):
    t = cuda.threadIdx.x
    first = cuda.blockIdx.x * TPB
    for row in range(first, min(first + TPB, rows)):
        for column in range(t, columns):
            out[row, column] = factors[row] * a[row, column]
