# verdict: out of bounds, line 11
# The column with the row's stride.
from numba import cuda


@cuda.jit
def copy(out, a, start, shape, strides):
    x, y = cuda.grid(2)
    rows, columns = shape
    if x < columns and y < rows:
        out[y, x] = a[start + x * strides[0] + y * strides[1]]
