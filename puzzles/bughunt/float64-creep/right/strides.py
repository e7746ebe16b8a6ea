"""In strides of the grid; n is made narrow once, before the loop."""

from numba import cuda, float32


@cuda.jit
def fade_in(out, a, n):
    length = float32(n)
    for i in range(cuda.grid(1), n, cuda.gridsize(1)):
        x = float32(i) / length
        square = x * x
        out[i] = a[i] * (float32(3) * square - float32(2) * square * x)


ANSWER = (10, "over budget")
