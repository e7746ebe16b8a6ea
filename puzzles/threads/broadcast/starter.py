"""Fill a table with all differences of an element of a and one of b.

out[y, x] = (the number of a for row y) - (the number of b for column x)
"""

from numba import cuda


@cuda.jit
def table(out, a, b, rows, columns):
    x = cuda.threadIdx.x  # the column
    y = cuda.threadIdx.y  # the row
    # a has `rows` elements, b has `columns`;
    # only threads inside the table may touch anything
