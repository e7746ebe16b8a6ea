# verdict: wrong answer, line 11
# Compares positions within the block: every block keeps a triangle of its own.
from numba import cuda


@cuda.jit
def lower(out, a, rows, columns):
    x, y = cuda.grid(2)
    if x < columns and y < rows:
        if cuda.threadIdx.x <= cuda.threadIdx.y:
            out[y, x] = a[y, x]
        else:
            out[y, x] = 0
