"""The loops the other way round: a strip of 64 columns, down all rows; the factors wait in shared memory."""

from numba import cuda, float32

TPB = 64


@cuda.jit(device=True)
def strip(out, a, factors, first, last, column):
    for row in range(first, last):
        out[row, column] = factors[row - first] * a[row, column]


@cuda.jit
def scale_rows(out, a, factors, rows, columns):
    mine = cuda.shared.array(TPB, float32)
    t = cuda.threadIdx.x
    first = cuda.blockIdx.x * TPB
    if first + t < rows:
        mine[t] = factors[first + t]
    cuda.syncthreads()
    for left in range(0, columns, TPB):
        if left + t < columns:
            strip(out, a, mine, first, min(first + TPB, rows), left + t)
