# verdict: out of bounds, line 13
# The last block has fewer rows than 64.
from numba import cuda

TPB = 64


@cuda.jit
def scale_rows(out, a, factors, rows, columns):
    t = cuda.threadIdx.x
    first = cuda.blockIdx.x * TPB
    for row in range(first, first + TPB):
        factor = factors[row]
        for column in range(t, columns, TPB):
            out[row, column] = factor * a[row, column]
