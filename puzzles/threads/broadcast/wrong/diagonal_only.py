# verdict: not written
# A zip in two dimensions: pairs only equal indices.
from numba import cuda


@cuda.jit
def table(out, a, b, rows, columns):
    x = cuda.threadIdx.x
    y = cuda.threadIdx.y
    if x == y and x < columns and y < rows:
        out[y, x] = a[y] - b[x]
