# verdict: race, line 11
# One index for a matrix: all rows of threads write the first row.
from numba import cuda


@cuda.jit
def square(out, a, rows, columns):
    x = cuda.threadIdx.x
    if x < columns:
        value = a[0, x]
        out[0, x] = value * value
