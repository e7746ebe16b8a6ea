"""Copy a matrix out of flat memory.

out[y, x] is the element of a that lies y rows and x columns further
than a[start].
"""

from numba import cuda


@cuda.jit
def copy(out, a, start, shape, strides):
    x, y = cuda.grid(2)  # column and row of out
    rows, columns = shape
    # 1. threads outside out have nothing to do
    # 2. where in a does the element of row y and column x lie?
    # 3. copy it to out[y, x]
