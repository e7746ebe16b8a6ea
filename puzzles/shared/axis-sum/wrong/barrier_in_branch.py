# verdict: barrier divergence, line 21
from numba import cuda, float32

TPB = 64


@cuda.jit
def sum_rows(out, a, rows, columns):
    sums = cuda.shared.array(TPB, float32)
    t = cuda.threadIdx.x
    row = cuda.blockIdx.x
    total = float32(0)
    for column in range(t, columns, TPB):
        total += a[row, column]
    sums[t] = total
    cuda.syncthreads()
    half = TPB // 2
    while half > 0:
        if t < half:
            sums[t] += sums[t + half]
            cuda.syncthreads()
        half //= 2
    if t == 0:
        out[row] = sums[0]
