"""A while loop over the row; the tree adds neighbours first."""

from numba import cuda, float32

TPB = 64


@cuda.jit
def sum_rows(out, a, rows, columns):
    row = cuda.blockIdx.x
    if row >= rows:
        return
    sums = cuda.shared.array(TPB, float32)
    t = cuda.threadIdx.x
    sums[t] = 0
    column = t
    while column < columns:
        sums[t] += a[row, column]
        column += cuda.blockDim.x
    cuda.syncthreads()
    step = 1
    while step < TPB:
        if t % (2 * step) == 0:
            sums[t] += sums[t + step]
        step *= 2
        cuda.syncthreads()
    if t == 0:
        out[row] = sums[t]
