# verdict: over budget, line 15
# The starter as it is.
from numba import cuda

TPB = 64


@cuda.jit
def scale_rows(out, a, factors, rows, columns):
    t = cuda.threadIdx.x
    row = cuda.blockIdx.x * TPB + t
    if row < rows:
        factor = factors[row]
        for column in range(columns):
            out[row, column] = factor * a[row, column]
