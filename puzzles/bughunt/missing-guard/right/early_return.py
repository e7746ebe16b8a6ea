"""Threads without a pixel leave at once; the extents come from the array."""

from numba import cuda, float32


@cuda.jit
def brighten(out, a, rows, columns):
    x, y = cuda.grid(2)
    if y >= out.shape[0] or x >= out.shape[1]:
        return
    out[y, x] = min(a[y, x] * float32(2), float32(255))


ANSWER = (11, "out of bounds")
