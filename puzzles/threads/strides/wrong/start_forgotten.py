# verdict: out of bounds, line 10
from numba import cuda


@cuda.jit
def copy(out, a, start, shape, strides):
    x, y = cuda.grid(2)
    rows, columns = shape
    if x < columns and y < rows:
        out[y, x] = a[y * strides[0] + x * strides[1]]
