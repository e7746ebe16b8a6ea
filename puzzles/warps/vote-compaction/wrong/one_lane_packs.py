# verdict: over budget, line 14
from numba import cuda


@cuda.jit
def pack(out, length, a, rows, n):
    row = cuda.grid(1) // 32
    if row >= rows:
        return
    if cuda.laneid > 0:
        return
    kept = 0
    for column in range(n):
        value = a[row, column]
        if value > 0:
            out[row, kept] = value
            kept += 1
    length[row] = kept
