# verdict: wrong answer, line 18
# The threads go along the rows now, but each keeps the factor of the row that was its own.
from numba import cuda, float32

TPB = 64


@cuda.jit
def scale_rows(out, a, factors, rows, columns):
    t = cuda.threadIdx.x
    first = cuda.blockIdx.x * TPB
    factor = float32(0)
    if first + t < rows:
        factor = factors[first + t]
    for k in range(min(TPB, rows - first)):
        row = first + k
        for column in range(t, columns, TPB):
            out[row, column] = factor * a[row, column]
