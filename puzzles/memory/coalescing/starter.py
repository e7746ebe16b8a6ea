"""Scale rows: out[r, c] = factors[r] * a[r, c]. Right, but slow."""

from numba import cuda

TPB = 64  # threads per block; a block has as many rows


@cuda.jit
def scale_rows(out, a, factors, rows, columns):
    t = cuda.threadIdx.x
    first = cuda.blockIdx.x * TPB  # the block's first row
    # A thread does a row of its own:
    # where do the 32 threads of a warp stand in one step of this loop?
    row = first + t
    if row < rows:
        factor = factors[row]
        for column in range(columns):
            out[row, column] = factor * a[row, column]
