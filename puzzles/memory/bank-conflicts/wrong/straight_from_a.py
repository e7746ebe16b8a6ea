# verdict: over budget, line 12
# No tile and no banks; but the warp walks down the columns of a.
from numba import cuda, float32


@cuda.jit
def sum_rows(out, a, rows, columns):
    row = cuda.grid(1)
    if row < rows:
        total = float32(0)
        for c in range(columns):
            total += a[row, c]
        out[row] = total
