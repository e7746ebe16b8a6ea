"""Take points apart: x[i], y[i], z[i] of each. Right, but wasteful."""

from numba import cuda

TPB = 64  # threads per block, a thread per point
CELLS = 3 * TPB  # numbers in a block's points


@cuda.jit
def split(x, y, z, points, n):
    i = cuda.grid(1)
    if i < n:
        # the stores are side by side; which sectors does a warp touch
        # in each of these loads, and how much of them does it use?
        x[i] = points[3 * i]
        y[i] = points[3 * i + 1]
        z[i] = points[3 * i + 2]
