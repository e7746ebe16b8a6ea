# verdict: out of bounds, line 10
from numba import cuda


@cuda.jit
def square(out, a, rows, columns):
    x = cuda.threadIdx.x
    y = cuda.threadIdx.y
    if x < columns or y < rows:
        value = a[y, x]
        out[y, x] = value * value
