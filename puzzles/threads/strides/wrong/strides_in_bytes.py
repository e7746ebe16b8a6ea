# verdict: wrong answer, line 11
# NumPy's strides are in bytes, these are in elements already.
from numba import cuda


@cuda.jit
def copy(out, a, start, shape, strides):
    x, y = cuda.grid(2)
    rows, columns = shape
    if x < columns and y < rows:
        out[y, x] = a[start + (y * strides[0] + x * strides[1]) // 4]
