"""Each thread walks over the image in strides of the grid: both loops end at the edge by themselves."""

from numba import cuda, float32


@cuda.jit
def brighten(out, a, rows, columns):
    x, y = cuda.grid(2)
    right, down = cuda.gridsize(2)
    for row in range(y, rows, down):
        for column in range(x, columns, right):
            value = a[row, column] * float32(2)
            if value > float32(255):
                value = float32(255)
            out[row, column] = value


ANSWER = (10, "out of bounds")
