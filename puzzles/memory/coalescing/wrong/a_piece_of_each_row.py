# verdict: over budget, line 16
# The block shares a row, but each thread takes a piece of neighbours: the threads of a warp still stand apart.
from numba import cuda

TPB = 64


@cuda.jit
def scale_rows(out, a, factors, rows, columns):
    t = cuda.threadIdx.x
    first = cuda.blockIdx.x * TPB
    piece = (columns + TPB - 1) // TPB
    for row in range(first, min(first + TPB, rows)):
        factor = factors[row]
        for column in range(t * piece, min((t + 1) * piece, columns)):
            out[row, column] = factor * a[row, column]
