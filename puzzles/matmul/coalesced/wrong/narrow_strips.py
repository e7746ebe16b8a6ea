# verdict: over budget, line 17
# Four columns at a time: better, and still eight rows of a in each request.
from numba import cuda, float32


@cuda.jit
def matmul(out, a, b, m, n, k):
    i = cuda.grid(1)
    strips = (n + 3) // 4
    strip = i // (4 * m)
    row = i // 4 % m
    column = 4 * strip + i % 4
    while strip < strips:
        if column < n:
            total = float32(0)
            for t in range(k):
                total += a[row, t] * b[t, column]
            out[row, column] = total
        i += cuda.gridsize(1)
        strip = i // (4 * m)
        row = i // 4 % m
        column = 4 * strip + i % 4
