"""A device function takes a row and a column as views, and the depth from them."""

from numba import cuda, float32


@cuda.jit(device=True)
def dot(row, column):
    total = float32(0)
    for t in range(row.shape[0]):
        total += row[t] * column[t]
    return total


@cuda.jit
def matmul(out, a, b, m, n, k):
    x, y = cuda.grid(2)
    if y >= m or x >= n:
        return
    out[y, x] = dot(a[y, :], b[:, x])
