# verdict: does not compile
# a has one dimension: the rows are only in the strides.
from numba import cuda


@cuda.jit
def copy(out, a, start, shape, strides):
    x, y = cuda.grid(2)
    rows, columns = shape
    if x < columns and y < rows:
        out[y, x] = a[y, x]
