# verdict: over budget
from numba import cuda, float32


@cuda.jit
def sum_rows(out, a, rows, columns):
    row = cuda.blockIdx.x
    if cuda.threadIdx.x == 0:
        total = float32(0)
        for column in range(columns):
            total += a[row, column]
        out[row] = total
