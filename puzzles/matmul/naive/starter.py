"""Matrix product, a thread per element.

out[y, x] is the sum of a[y, t] * b[t, x] over t = 0, 1 ... k - 1
"""

from numba import cuda, float32


@cuda.jit
def matmul(out, a, b, m, n, k):
    x, y = cuda.grid(2)  # column and row of out
    # 1. threads outside out have nothing to do:
    #    it has m rows and n columns
    total = float32(0)  # the running sum, 32 bits wide
    # 2. add up k products
    # 3. store the sum
