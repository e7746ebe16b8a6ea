# verdict: over budget, line 14
# Every block goes through the whole matrix: only a second block shows it.
from numba import cuda

TPB = 64


@cuda.jit
def scale_rows(out, a, factors, rows, columns):
    t = cuda.threadIdx.x
    for row in range(rows):
        factor = factors[row]
        for column in range(t, columns, TPB):
            out[row, column] = factor * a[row, column]
