# verdict: out of bounds, line 11
# Asks whether a has such an element, and not whether out has.
from numba import cuda


@cuda.jit
def copy(out, a, start, shape, strides):
    x, y = cuda.grid(2)
    where = start + y * strides[0] + x * strides[1]
    if where < a.shape[0]:
        out[y, x] = a[where]
