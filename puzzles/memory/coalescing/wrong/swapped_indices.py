# verdict: out of bounds, line 15
# Neighbouring threads in neighbouring rows again, for the names have changed places but not the loops.
from numba import cuda

TPB = 64


@cuda.jit
def scale_rows(out, a, factors, rows, columns):
    t = cuda.threadIdx.x
    first = cuda.blockIdx.x * TPB
    for row in range(first, min(first + TPB, rows)):
        factor = factors[row]
        for column in range(t, columns, TPB):
            out[column, row] = factor * a[column, row]
