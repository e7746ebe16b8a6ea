# verdict: not written
# out is not zero when the kernel starts.
from numba import cuda


@cuda.jit
def lower(out, a, rows, columns):
    x, y = cuda.grid(2)
    if x < columns and y < rows and x <= y:
        out[y, x] = a[y, x]
