# verdict: not written
# 64 threads reach 64 columns; a longer row takes several steps.
from numba import cuda

TPB = 64


@cuda.jit
def scale_rows(out, a, factors, rows, columns):
    t = cuda.threadIdx.x
    first = cuda.blockIdx.x * TPB
    for row in range(first, min(first + TPB, rows)):
        if t < columns:
            out[row, t] = factors[row] * a[row, t]
