# verdict: over budget
from numba import cuda, float32

TPB = 64


@cuda.jit
def sum_rows(out, a, rows, columns):
    sums = cuda.shared.array(TPB, float32)
    t = cuda.threadIdx.x
    row = cuda.blockIdx.x
    total = float32(0)
    for column in range(t, columns, TPB):
        total += a[row, column]
    sums[t] = total
    cuda.syncthreads()
    if t == 0:
        total = float32(0)
        for k in range(TPB):
            total += sums[k]
        out[row] = total
