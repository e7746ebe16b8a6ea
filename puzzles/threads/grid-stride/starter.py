"""Add alpha * x to y, for any number of blocks and threads.

y[i] = alpha * x[i] + y[i] for all n elements
"""

from numba import cuda


@cuda.jit
def saxpy(y, alpha, x, n):
    i = cuda.grid(1)  # the first element of this thread
    step = cuda.gridsize(1)  # all threads of all blocks together
    # take element i, then the one `step` further on,
    # and so on, while there are any
