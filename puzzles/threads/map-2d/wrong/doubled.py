# verdict: wrong answer, line 10
from numba import cuda


@cuda.jit
def square(out, a, rows, columns):
    x = cuda.threadIdx.x
    y = cuda.threadIdx.y
    if x < columns and y < rows:
        out[y, x] = a[y, x] + a[y, x]
