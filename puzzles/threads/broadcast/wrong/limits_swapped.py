# verdict: out of bounds, line 10
from numba import cuda


@cuda.jit
def table(out, a, b, rows, columns):
    x = cuda.threadIdx.x
    y = cuda.threadIdx.y
    if x < rows and y < columns:
        out[y, x] = a[y] - b[x]
