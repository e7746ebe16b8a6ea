# verdict: out of bounds, line 10
# The store is guarded, the loads are not.
from numba import cuda


@cuda.jit
def table(out, a, b, rows, columns):
    x = cuda.threadIdx.x
    y = cuda.threadIdx.y
    value = a[y] - b[x]
    if x < columns and y < rows:
        out[y, x] = value
