"""Grid-stride loops in both directions, and the sum from the end."""

from numba import cuda, float32


@cuda.jit
def matmul(out, a, b, m, n, k):
    x, y = cuda.grid(2)
    across, down = cuda.gridsize(2)
    for row in range(y, m, down):
        for column in range(x, n, across):
            total = float32(0)
            t = k
            while t > 0:
                t -= 1
                total += a[row, t] * b[t, column]
            out[row, column] = total
