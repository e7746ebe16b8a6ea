# verdict: race, line 11
# A line of numbers in, a line of numbers out: all threads of a row write the same element.
from numba import cuda


@cuda.jit
def table(out, a, b, rows, columns):
    x = cuda.threadIdx.x
    y = cuda.threadIdx.y
    if x < columns and y < rows:
        out[y, 0] = a[y] - b[x]
